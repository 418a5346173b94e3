import { ToolError } from '../../core/error.js';
import { retryAfter } from '../../core/http/retry-after.js';

/** Whether a scope is lacking that a login could give. */
export function isTooNarrow({ status, headers }: Response): boolean {
  return status === 403 && /error\s*=\s*"?insufficient_scope/i.test(headers.get('www-authenticate') ?? '');
}

/** The error of an answer that refuses a request for a payment, a wider scope or fewer requests; undefined for others. */
export function httpRefusal(response: Response): ToolError | undefined {
  const { status, headers } = response;
  const [, quoted, plain] =
    /[\s,]scope\s*=\s*(?:"([^"]*)"|([^\s,"]+))/i.exec(headers.get('www-authenticate') ?? '') ?? [];
  const scope = quoted ?? plain;
  const said = isTooNarrow(response)
    ? `Its login lacks a scope (HTTP 403 insufficient_scope${scope === undefined ? '' : `, scope ${JSON.stringify(scope.slice(0, 1_000))}`}).`
    : { 402: 'It wants a payment (HTTP 402).', 429: 'It wants fewer requests (HTTP 429).' }[status];
  if (said === undefined) return undefined;
  const retryAfterMs = retryAfter(headers.get('retry-after'));
  const next = status === 429 ? 'Try again later.' : 'Tell the user.';
  const step = retryAfterMs === undefined ? next : `Try again in ${Math.ceil(retryAfterMs / 1_000)} s.`;
  const code = status === 429 ? 'rate_limited' : 'http_error';
  const metadata = { status, ...(scope !== undefined && { scope }) };
  return new ToolError(code, `${said} ${step}`, { metadata, ...(retryAfterMs !== undefined && { retryAfterMs }) });
}

/** Whether it is the error of such an answer. */
export function isRefusal(thrown: unknown): boolean {
  return ToolError.is(thrown) && (thrown.code === 'rate_limited' || thrown.code === 'http_error');
}
