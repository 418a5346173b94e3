import type { CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import { parseAddress } from '../../core/http/parse-address.js';
import { isRecord } from '../../core/support/is-record.js';
import {
  assertNeeded,
  assertOptions,
  kindOf,
  type OptionKind,
  type OptionKinds,
} from '../../core/support/option-kinds.js';
import { hostKinds } from '../../ports/host-kinds.js';
import type { HttpClient, HttpPost } from '../../ports/http-client.js';
import { createHttpClient } from './create-http-client.js';

/** What every service takes that is reached with a key. */
export interface KeyedServiceOptions {
  /** In no output and no error. */
  readonly apiKey: string;
  /** Default: a client that reaches public addresses alone, with time and room for an answer of this service. */
  readonly http?: HttpClient | undefined;
}

/** What is special about one service. */
export interface KeyedService {
  /** The function that makes it. */
  readonly factory: string;
  /** What people call it. */
  readonly name: string;
  headers(apiKey: string): Readonly<Record<string, string>>;
  /** The options that it takes besides. */
  readonly kinds: Readonly<Record<string, OptionKind<unknown>>>;
  /** What the model may try where a request is refused for what stands in it. */
  readonly advice: string;
  /** Of one answer. */
  readonly limits: { readonly timeoutMs: number; readonly maxBytes: number };
}

/** Posts JSON to a service and answers with the body that came back. */
export type KeyedPost = (url: string, body: object, scope: CallScope) => Promise<Uint8Array>;

const keyedKinds: OptionKinds<KeyedServiceOptions> = {
  apiKey: {
    takes: 'a key: printable characters without spaces',
    holds: (value) => typeof value === 'string' && /^[\x21-\x7e]+$/.test(value),
  },
  http: hostKinds.http,
};

/** The address that another service with the same interface begins with. */
export const baseUrlKind: OptionKind = {
  takes: 'an http(s) address',
  isShown: true,
  holds: (value: unknown) =>
    kindOf.text.holds(value) && /^https?:$/.test(parseAddress(value as string)?.protocol ?? ''),
};

/** What reaches a service. Throws a TypeError for options of another kind; what it rejects with never holds the key. */
export function keyedPost(service: KeyedService, options: KeyedServiceOptions): KeyedPost {
  const { factory, name, limits } = service;
  assertNeeded(factory, options, 'apiKey');
  assertOptions(factory, options, { ...keyedKinds, ...service.kinds });
  const { apiKey, http = createHttpClient({ limits }) } = options;
  return async (url, body, scope) => {
    const post: HttpPost = {
      url,
      headers: { 'content-type': 'application/json', ...service.headers(apiKey) },
      body: JSON.stringify(body),
      maxBytes: limits.maxBytes,
      staysOnHost: true,
    };
    let answer: Awaited<ReturnType<HttpClient['post']>>;
    try {
      answer = await http.post(post, scope);
    } catch (thrown) {
      throw failure(ToolError.from(thrown), service);
    }
    if (answer.endsEarly !== true && answer.status >= 200 && answer.status < 300) return answer.body;
    throw new ToolError('http_error', `${name} gave no whole answer (status ${answer.status}). Tell the user.`);
  };
}

/** An answer in JSON; empty for what is none. */
export function jsonAnswer(body: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const answer: unknown = JSON.parse(Buffer.from(body).toString());
    return isRecord(answer) ? answer : {};
  } catch {
    return {};
  }
}

/** The same failure in words of our own: those of a service repeat parts of the key. */
function failure({ code, metadata, retryAfterMs }: ToolError, { name, advice }: KeyedService): ToolError {
  const status = typeof metadata?.status === 'number' ? metadata.status : undefined;
  const pause = retryAfterMs === undefined ? {} : { retryAfterMs };
  if (status === undefined) return new ToolError(code, `${name} failed: ${code}. Go on without it.`, pause);
  const [known, next] =
    status === 429
      ? (['rate_limited', 'It is asked too often, or its quota is used up. Tell the user.'] as const)
      : status === 401 || status === 403
        ? (['http_error', 'It refuses the key of the program. Tell the user.'] as const)
        : status < 500
          ? (['http_error', advice] as const)
          : (['http_error', 'Try again later, or go on without it.'] as const);
  return new ToolError(known, `${name} failed with status ${status}. ${next}`, { metadata: { status }, ...pause });
}
