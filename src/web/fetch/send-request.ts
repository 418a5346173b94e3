import type { Duplex } from 'node:stream';
import { ToolError } from '../../core/error.js';
import { retryAfter } from '../../core/support/retry-after.js';
import { stopWatch, systemTimers, type Timers } from '../../core/support/timers.js';
import { parseAddress } from '../../core/support/urls.js';
import type { HttpPost, HttpRequest, HttpResponse } from '../../ports/http-client.js';
import { blocked, checkedAddresses, checkedUrl, type Lookup, type ReachableHosts } from './address-guard.js';
import { type Connect, connected, type Exchange, exchange, systemConnect, systemLookup } from './http-exchange.js';
import { readBody } from './read-body.js';
import { robotsCheck } from './robots.js';

/** The rules for all requests of a client. */
export interface RequestRules {
  readonly hosts: ReachableHosts;
  readonly lookup?: Lookup | undefined;
  readonly connect?: Connect | undefined;
  readonly limits: Readonly<Record<'timeoutMs' | 'maxBytes' | 'maxRedirects' | 'cacheMs', number>>;
  readonly robots: boolean;
  readonly userAgent: string;
  readonly timers?: Timers | undefined;
}

type Sent = Omit<HttpPost, 'url' | 'body'> & {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly body?: HttpPost['body'] | undefined;
  readonly isCut?: boolean;
};

const maxErrorBytes = 2_000;
/** RFC 9309 asks for at least 500 KiB. */
const maxRobotsBytes = 512_000;
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** The only header fields that are sent to another origin after a redirect: any other field may be a credential. */
const harmlessHeaders = new Set(['accept', 'accept-encoding', 'accept-language', 'content-type', 'user-agent']);

/** Sends requests and follows redirects; each redirect is checked like a new request. */
export function httpRequests(rules: RequestRules) {
  const { hosts, lookup = systemLookup, userAgent, timers = systemTimers } = rules;
  const { connect = systemConnect(timers) } = rules;
  const { timeoutMs, maxBytes: mostBytes, maxRedirects, cacheMs } = rules.limits;
  const checkRobots = rules.robots ? robotsCheck(userAgent, cacheMs, timers) : undefined;
  const ownHeaders = { accept: '*/*', 'accept-encoding': 'gzip, deflate, br', 'user-agent': userAgent };

  /** Sends one request. Rejects at the time limit or when the signal aborts, without waiting for pending work. */
  async function send(request: HttpRequest & Partial<HttpPost>, signal: AbortSignal): Promise<HttpResponse> {
    if (signal.aborted) throw new ToolError('cancelled', 'The request was cancelled before it was sent.');
    const stop = new AbortController();
    const watch = stopWatch([signal], timeoutMs, timers);
    const stopped = watch.stopped.then((reason) => {
      const late = `No complete response within ${timeoutMs} ms. Try again later, or use another source.`;
      const interrupted = new ToolError('interrupted', 'The request was interrupted before an answer.');
      stop.abort(reason === 'timeout' ? new ToolError('timeout', late) : interrupted);
      throw stop.signal.reason;
    });
    return Promise.race([stopped, begin(request, stop.signal)]).finally(watch.clear);
  }

  async function begin(request: HttpRequest & Partial<HttpPost>, signal: AbortSignal): Promise<HttpResponse> {
    const url = checkedUrl(request.url, hosts);
    const given = Object.entries(request.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const);
    const headers = { ...ownHeaders, ...Object.fromEntries(given) };
    return follow({ ...request, url, headers, method: request.body === undefined ? 'GET' : 'POST' }, signal);
  }

  async function follow(first: Sent, signal: AbortSignal, asksRobots = true): Promise<HttpResponse> {
    const redirects: string[] = [];
    for (let sent = first; ; ) {
      if (asksRobots && sent.method === 'GET') await checkRobots?.(sent.url, (url) => robotsText(url, signal));
      const answer = await answerTo(sent, signal);
      try {
        const next = redirectStatuses.has(answer.status) ? locationOf(answer, sent.url) : undefined;
        if (next === undefined) return { ...(await bodyOf(sent, answer)), redirects };
        if (staysHere(sent, next)) {
          // The caller sees the target and may request it, so a forbidden target is refused here.
          await addressesOf(checkedUrl(next.href, hosts), signal);
          const headers = { ...answer.headers, location: next.href };
          return { ...described({ ...answer, headers }, sent.url), body: new Uint8Array(0), redirects };
        }
        if (redirects.length >= maxRedirects)
          throw redirectError(`${sent.url.hostname} redirects too many times`, answer);
        redirects.push(sent.url.href);
        sent = redirected(sent, checkedUrl(next.href, hosts), answer.status);
      } catch (error) {
        throw networkFailure(error, sent.url);
      } finally {
        answer.close();
      }
    }
  }

  function staysHere({ url, staysOnHost = false }: Sent, target: URL): boolean {
    if (staysOnHost === false || target.hostname === url.hostname) return false;
    const isNamed = hosts.allowed?.(target.hostname) === true;
    return !isNamed || (typeof staysOnHost === 'function' && staysOnHost(target.href));
  }

  async function answerTo({ url, method, headers = {}, body }: Sent, signal: AbortSignal): Promise<Exchange> {
    const addresses = await addressesOf(url, signal);
    signal.throwIfAborted();
    try {
      return await exchange({ url, method, headers, body, addresses }, connect, signal);
    } catch (error) {
      throw networkFailure(error, url);
    }
  }

  function addressesOf(url: URL, signal: AbortSignal): Promise<readonly string[]> {
    return checkedAddresses(url, hosts, lookup, signal);
  }

  async function bodyOf({ url, method, maxBytes = mostBytes, isCut = false }: Sent, answer: Exchange) {
    const coding = answer.headers['content-encoding'];
    const whole = { maxBytes, isCut };
    if (answer.status < 400) {
      const { bytes: body, endsEarly: stopsInside } = await readBody(answer.body, coding, whole);
      const failure = answer.failure();
      // A truncated page is useful; a truncated API response to a POST is not.
      if (failure !== undefined && (body.length === 0 || method === 'POST')) throw failure;
      const endsEarly = stopsInside || failure !== undefined;
      return { ...described(answer, url), body, ...(endsEarly ? { endsEarly } : {}) };
    }
    // The status is reported even if the body of the error cannot be read.
    const start = { maxBytes: maxErrorBytes, isCut: true };
    const page = await readBody(answer.body, coding, start).catch(() => undefined);
    throw statusError(url, answer, new TextDecoder().decode(page?.bytes));
  }

  async function robotsText(url: URL, signal: AbortSignal): Promise<string> {
    const request: Sent = { url, method: 'GET', headers: ownHeaders, maxBytes: maxRobotsBytes, isCut: true };
    const { body, endsEarly = false } = await follow(request, signal, false);
    // The missing part may disallow the page.
    if (endsEarly)
      throw new ToolError('network_failed', `robots.txt of ${url.hostname} was incomplete. Try again later.`);
    const text = new TextDecoder().decode(body);
    // The last line of a cut file may be incomplete, and would then mean another path.
    return body.length < maxRobotsBytes ? text : text.slice(0, text.lastIndexOf('\n') + 1);
  }

  return { send };
}

/**
 * Opens a TCP connection to the host of a URL, for a caller that speaks HTTP itself. Resolves the host once and checks
 * it like the host of a request. Rejects with `url_blocked` for a refused host.
 */
export async function guardedConnection(
  address: string,
  { hosts, lookup = systemLookup, timers = systemTimers, connect = systemConnect(timers) }: RequestRules,
  signal: AbortSignal,
): Promise<Duplex> {
  const url = checkedUrl(address, hosts);
  const addresses = await checkedAddresses(url, hosts, lookup, signal);
  signal.throwIfAborted();
  return await connected({ url, addresses }, connect, signal);
}

/** The target of a redirect. Header fields are decoded as Latin-1, but servers write URLs in UTF-8. */
function locationOf(answer: Exchange, from: URL): URL | undefined {
  const { location } = answer.headers;
  if (location === undefined) return undefined;
  const url = parseAddress(Buffer.from(location, 'latin1').toString(), from);
  if (url === undefined) throw redirectError(`${from.hostname} redirects to an invalid URL`, answer);
  if (!/^https?:$/.test(url.protocol))
    throw blocked(
      `${from.hostname} redirects to ${url.protocol}, and only http and https are fetched. Try another URL.`,
    );
  return url;
}

/**
 * The request after a redirect. Throws `url_blocked` if the redirect sends a body to another origin, or leads from
 * https to http.
 */
function redirected(sent: Sent, url: URL, status: number): Sent {
  const { url: from, method, body, headers = {}, ...rest } = sent;
  if (from.protocol === 'https:' && url.protocol === 'http:')
    throw blocked(`${from.hostname} redirects from https to http, which is not followed. Use another source.`);
  const isSame = url.origin === from.origin;
  const goesOn = method === 'POST' && (status === 307 || status === 308);
  if (goesOn && !isSame)
    throw blocked(`${from.hostname} redirects the sent data to another origin. Use another source.`);
  const carried = Object.entries(headers).filter(
    ([name]) => (isSame || harmlessHeaders.has(name)) && (goesOn || method === 'GET' || !name.startsWith('content-')),
  );
  return { ...rest, url, headers: Object.fromEntries(carried), ...(goesOn ? { method, body } : { method: 'GET' }) };
}

function described({ status, headers }: Pick<Exchange, 'status' | 'headers'>, url: URL) {
  const type = headers['content-type'] ?? '';
  const mediaType = /^\s*([^\s;,]+)/.exec(type)?.[1]?.toLowerCase() ?? 'application/octet-stream';
  const charset = /;\s*charset\s*=\s*"?([^\s";,]+)/i.exec(type)?.[1];
  return { url: url.href, status, headers, mediaType, ...(charset === undefined ? {} : { charset }) };
}

/** An error for a failed connection, without any text written by the server. */
function networkFailure(thrown: unknown, { hostname }: URL): ToolError {
  if (ToolError.is(thrown)) return thrown;
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code ?? '') : '';
  const reason = code || 'it sent no valid HTTP response';
  if (code === 'UND_ERR_INVALID_ARG')
    return new ToolError('invalid_input', 'A header of the request is not valid. Leave it out.', { cause: thrown });
  const message = `${hostname} could not be reached (${reason}). Try again later, or use another host.`;
  return new ToolError('network_failed', message, { cause: thrown });
}

function statusError(url: URL, { status, headers }: Exchange, body: string): ToolError {
  const isLater = status === 429 || status >= 500;
  const step = isLater ? 'Try again later, or use another source.' : 'Check the URL, or try another source.';
  const retryAfterMs = retryAfter(headers['retry-after']);
  return new ToolError('http_error', `HTTP ${status} from ${url.hostname}. ${step}`, {
    metadata: { status, url: url.href, headers, body },
    retryAfterMs,
  });
}

function redirectError(what: string, { status }: Exchange): ToolError {
  return new ToolError('http_error', `${what}. Try another URL.`, { metadata: { status } });
}
