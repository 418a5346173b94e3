import type { CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import {
  assertOptions,
  ifPossible,
  isRecord,
  type OptionKind,
  type OptionKinds,
} from '../../core/support/check-values.js';
import { hostKinds } from '../../ports/check-hosts.js';
import type { HttpClient, HttpPost, HttpRequest } from '../../ports/http-client.js';
import { createHttpClient } from './create-http-client.js';

/** Options of every service that needs an API key. */
export interface KeyedServiceOptions {
  /** The API key. It never appears in outputs or errors. */
  readonly apiKey: string;
  /** Default: a client for public addresses, with the limits of this service. */
  readonly http?: HttpClient | undefined;
}

/** Describes one service. */
export interface KeyedService {
  readonly factory: string;
  readonly name: string;
  headers(apiKey: string): Readonly<Record<string, string>>;
  /** The expected types of the options that only this service has. */
  readonly kinds: Readonly<Record<string, OptionKind<unknown>>>;
  /** Advice for the model when the service rejects the content of a request. */
  readonly advice: string;
  readonly limits: { readonly timeoutMs: number; readonly maxBytes: number };
}

/** The expected types of {@link KeyedServiceOptions}. */
export const keyedKinds: OptionKinds<KeyedServiceOptions> = {
  apiKey: {
    takes: 'a key: printable characters without spaces',
    holds: (value) => typeof value === 'string' && /^[\x21-\x7e]+$/.test(value),
  },
  http: hostKinds.http,
};

export function bearer(apiKey: string) {
  return { authorization: `Bearer ${apiKey}` };
}

/** Makes the function that posts JSON to a service and returns the body; its errors never contain the key. */
export function keyedPost(service: KeyedService, options: KeyedServiceOptions) {
  const { factory, name, limits } = service;
  assertOptions(factory, options, { ...keyedKinds, ...service.kinds }, 'apiKey');
  const { apiKey, http = createHttpClient({ limits }) } = options;
  return async (url: string, body: object, scope: CallScope): Promise<Uint8Array> => {
    const headers = service.headers(apiKey);
    const post = jsonPost({ url, headers, maxBytes: limits.maxBytes, staysOnHost: true }, body);
    let answer: Awaited<ReturnType<HttpClient['post']>>;
    try {
      answer = await http.post(post, scope);
    } catch (thrown) {
      throw failure(ToolError.from(thrown), service);
    }
    if (answer.endsEarly !== true && answer.status >= 200 && answer.status < 300) return answer.body;
    throw new ToolError('http_error', `${name} gave no complete response (status ${answer.status}). Tell the user.`);
  };
}

/** A request that posts JSON. */
export function jsonPost(request: HttpRequest, body: object): HttpPost {
  const headers = { 'content-type': 'application/json', ...request.headers };
  return { ...request, headers, body: JSON.stringify(body) };
}

/** Parses a JSON object; returns an empty object for anything else. */
export function jsonAnswer(body: Uint8Array): Readonly<Record<string, unknown>> {
  const answer = ifPossible((): unknown => JSON.parse(Buffer.from(body).toString()));
  return isRecord(answer) ? answer : {};
}

/** The error for the model. It omits the service's own text, which may repeat parts of the key. */
function failure({ code, metadata, retryAfterMs }: ToolError, { name, advice }: KeyedService): ToolError {
  const status = typeof metadata?.status === 'number' ? metadata.status : undefined;
  if (status === undefined)
    return new ToolError(code, `${name} failed: ${code}. Continue without it.`, { retryAfterMs });
  const [known, next] =
    status === 429
      ? (['rate_limited', 'Too many requests, or the quota is used up. Tell the user.'] as const)
      : status === 401 || status === 403
        ? (['http_error', 'It rejected the API key. Tell the user.'] as const)
        : status >= 400 && status < 500
          ? (['http_error', advice] as const)
          : (['http_error', 'Try again later, or continue without it.'] as const);
  return new ToolError(known, `${name} failed with status ${status}. ${next}`, { metadata: { status }, retryAfterMs });
}
