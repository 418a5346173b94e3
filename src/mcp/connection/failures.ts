import { ToolError } from '../../core/error.js';
import type { McpServer } from '../../host/mcp-client.js';
import { brokenOff } from './messages.js';

/** Whether a server has answered, with an error. The SDK has others of the kind for what we stop or has ended. */
export function isAnswer(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'McpError';
}

/** Whether what carried an answer has broken off. */
export function isBrokenOff(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === brokenOff;
}

/** Errors of the SDK about single messages, which say nothing of the connection. */
export function isHarmless({ name, message }: Error): boolean {
  return (
    name === 'ZodError' ||
    name === 'AbortError' ||
    /^(?:Received a |Unknown message|Uncaught error in|Failed to send|Unauthorized$)/.test(message)
  );
}

/** The HTTP status that a transport failed with; undefined for any other failure. */
export function statusOf(thrown: unknown): number | undefined {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  return typeof code === 'number' && code >= 100 && code < 600 ? code : undefined;
}

/** Whether a server behind an address is there, but wants to hear less. */
export function isBusy(thrown: unknown): boolean {
  return statusOf(thrown) === 429;
}

/** What somebody wants to say, without the number that the SDK puts before it on each side. */
export function plainMessage(text: string): string {
  return text.replace(/^(?:MCP error -?\d+: )+/, '');
}

/** What was thrown, in words. */
export function messageOf(thrown: unknown): string {
  const { cause } = thrown instanceof Error ? thrown : {};
  const more = cause instanceof Error && !(thrown instanceof ToolError) ? ` (${cause.message})` : '';
  return `${plainMessage(thrown instanceof Error ? thrown.message : String(thrown))}${more}`;
}

/** The error of a request to a server that is not there. */
export function notConnected({ name, state, error }: McpServer): ToolError {
  const why = error === undefined ? '.' : `: ${error}`;
  const next = state === 'reconnecting' || state === 'connecting' ? ' Try again in a moment.' : '';
  return new ToolError('mcp_unavailable', `The MCP server ${JSON.stringify(name)} is ${state}${why}${next}`);
}
