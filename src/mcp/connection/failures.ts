import { ToolError } from '../../core/error.js';
import { isRecord } from '../../core/support/check-values.js';
import { retryAfter } from '../../core/support/retry-after.js';
import { terminalText } from '../../core/text/terminal.js';
import type { McpServer } from '../../ports/mcp-client.js';
import { brokenOff, jsonLine } from './repair-messages.js';

/**
 * Whether an error is an `McpError`: the SDK throws it for an error response of the server and for a stopped request.
 */
export function isAnswer(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'McpError';
}

/** Whether an error means that the stream of a response ended too early. */
export function isBrokenOff(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === brokenOff;
}

/** Whether an error of the SDK concerns a single message and not the connection. */
export function isHarmless({ name, message }: Error): boolean {
  return (
    name === 'ZodError' ||
    name === 'ToolError' ||
    name === 'AbortError' ||
    /^(?:Received a |Unknown message|Uncaught error in|Failed to send|Unauthorized$)/.test(message)
  );
}

/** The HTTP status of a transport error; undefined for any other error. */
export function statusOf(thrown: unknown): number | undefined {
  const code = thrown instanceof Error && !isAnswer(thrown) && 'code' in thrown ? thrown.code : undefined;
  return typeof code === 'number' && code >= 100 && code < 600 ? code : undefined;
}

/** Whether a request certainly had no effect: no server was reached, or the server did not know the session. */
export function isUndelivered(thrown: unknown): boolean {
  if (!(thrown instanceof Error) || isAnswer(thrown)) return false;
  return ('code' in thrown && undelivered.has(thrown.code)) || isUndelivered(thrown.cause);
}

const undelivered: ReadonlySet<unknown> = new Set([
  ...[404, 'EPIPE', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'],
]);

/** Removes the error codes that the SDKs of the client and the server each put before a message. */
export function plainMessage(text: string): string {
  return text.replace(/^(?:MCP error -?\d+: )+/, '');
}

/** The message of an error, with additional data of the server, as plain text, because people see it in a terminal. */
export function messageOf(thrown: unknown): string {
  const [issue] = thrown instanceof Error && 'issues' in thrown && Array.isArray(thrown.issues) ? thrown.issues : [];
  // The message of a ZodError is a JSON list of all issues, so only the first issue is used.
  if (isRecord(issue)) return `It sent an invalid message (${[issue.path].flat().join('.')}: ${issue.message}).`;
  const { cause } = thrown instanceof Error ? thrown : {};
  const data = isAnswer(thrown) ? ((thrown as { readonly data?: unknown }).data ?? undefined) : undefined;
  const why = cause instanceof Error && !(thrown instanceof ToolError) ? ` (${cause.message})` : '';
  const more = data === undefined ? why : ` ${jsonLine(data)}`;
  return terminalText(`${plainMessage(thrown instanceof Error ? thrown.message : String(thrown))}${more}`).trim();
}

/** The error of a request to a server that is not connected. */
export function notConnected({ name, state, error }: McpServer): ToolError {
  const why = error === undefined ? '.' : `: ${error}`.replace(/[^.!?]$/, '$&.');
  const next = state === 'reconnecting' || state === 'connecting' ? ' Try again in a moment.' : '';
  return new ToolError('mcp_unavailable', `The MCP server ${JSON.stringify(name)} is ${state}${why}${next}`);
}

/** Whether the response asks for an OAuth scope that the login lacks. */
export function lacksScope({ status, headers }: Response): boolean {
  return status === 403 && /error\s*=\s*"?insufficient_scope/i.test(headers.get('www-authenticate') ?? '');
}

/**
 * The error for a response that asks for a payment, a wider scope or fewer requests; undefined for other responses. The
 * error quotes the body unless the body is HTML.
 */
export function httpRefusal(response: Response, body = ''): ToolError | undefined {
  const { status, headers } = response;
  const [, quoted, plain] =
    /[\s,]scope\s*=\s*(?:"([^"]*)"|([^\s,"]+))/i.exec(headers.get('www-authenticate') ?? '') ?? [];
  const scope = quoted ?? plain;
  const said = lacksScope(response)
    ? `Its login lacks a scope (HTTP 403 insufficient_scope${scope === undefined ? '' : `, scope ${JSON.stringify(scope.slice(0, 1_000))}`}).`
    : { 402: 'It asks for a payment (HTTP 402).', 429: 'It limits the rate of requests (HTTP 429).' }[status];
  if (said === undefined) return undefined;
  const retryAfterMs = retryAfter(headers.get('retry-after'));
  const next = status === 429 ? 'Try again later.' : 'Tell the user.';
  const step = retryAfterMs === undefined ? next : `Try again in ${Math.ceil(retryAfterMs / 1_000)} s.`;
  const code = status === 429 ? 'rate_limited' : 'http_error';
  const metadata = { status, ...(scope !== undefined && { scope }) };
  const words = /^\s*(?:<|$)/.test(body) ? '' : ` It said: ${JSON.stringify(body.trim())}.`;
  return new ToolError(code, `${said}${words} ${step}`, {
    metadata,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

/** Whether {@link httpRefusal} made this error. */
export function isRefusal(thrown: unknown): boolean {
  return ToolError.is(thrown) && (thrown.code === 'rate_limited' || thrown.code === 'http_error');
}
