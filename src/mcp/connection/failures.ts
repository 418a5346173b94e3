import { ToolError } from '../../core/error.js';
import type { McpServer } from '../../ports/mcp-client.js';
import { brokenOff, shown } from './messages.js';

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
    name === 'ToolError' ||
    name === 'AbortError' ||
    /^(?:Received a |Unknown message|Uncaught error in|Failed to send|Unauthorized$)/.test(message)
  );
}

/** The HTTP status that a transport failed with; undefined for any other failure. */
export function statusOf(thrown: unknown): number | undefined {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  return typeof code === 'number' && code >= 100 && code < 600 ? code : undefined;
}

/** Whether a request surely reached no server that could act on it: nothing listened, or it knew no such session. */
export function isUndelivered(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  return ('code' in thrown && undelivered.has(thrown.code)) || isUndelivered(thrown.cause);
}

const undelivered: ReadonlySet<unknown> = new Set([
  ...[404, 'EPIPE', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'],
]);

/** What somebody wants to say, without the number that the SDK puts before it on each side. */
export function plainMessage(text: string): string {
  return text.replace(/^(?:MCP error -?\d+: )+/, '');
}

/** What was thrown, in words, with what a server says besides. */
export function messageOf(thrown: unknown): string {
  const { cause } = thrown instanceof Error ? thrown : {};
  const data = isAnswer(thrown) ? ((thrown as { readonly data?: unknown }).data ?? undefined) : undefined;
  const why = cause instanceof Error && !(thrown instanceof ToolError) ? ` (${cause.message})` : '';
  const more = data === undefined ? why : ` ${shown(data)}`;
  return `${plainMessage(thrown instanceof Error ? thrown.message : String(thrown))}${more}`;
}

/** The error of a request to a server that is not there. */
export function notConnected({ name, state, error }: McpServer): ToolError {
  const why = error === undefined ? '.' : `: ${error}`.replace(/[^.!?]$/, '$&.');
  const next = state === 'reconnecting' || state === 'connecting' ? ' Try again in a moment.' : '';
  return new ToolError('mcp_unavailable', `The MCP server ${JSON.stringify(name)} is ${state}${why}${next}`);
}
