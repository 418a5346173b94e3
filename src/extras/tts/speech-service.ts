import type { CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import {
  assertNeeded,
  assertOptions,
  kindOf,
  type OptionKind,
  type OptionKinds,
} from '../../core/support/option-kinds.js';
import { hostKinds } from '../../host/host-kinds.js';
import type { HttpClient, HttpPost } from '../../host/http-client.js';
import { createHttpClient } from '../../web/create-http-client.js';

/** What every speech service on the web takes. */
export interface SpeechServiceOptions {
  /** In no output and no error. */
  readonly apiKey: string;
  /** As the service names it. Default: see the service. */
  readonly model?: string | undefined;
  /** Where a call names none. Default: see the service. */
  readonly voice?: string | undefined;
  /** Default: a client that reaches public addresses alone, with 2 minutes and 50 MB for an answer. */
  readonly http?: HttpClient | undefined;
}

const apiKey: OptionKind = {
  takes: 'a key: printable characters without spaces',
  holds: (value) => typeof value === 'string' && /^[\x21-\x7e]+$/.test(value),
};
const optionKinds: OptionKinds<SpeechServiceOptions> = {
  apiKey,
  model: kindOf.text,
  voice: kindOf.text,
  http: hostKinds.http,
};
const webLimits = { timeoutMs: 120_000, maxBytes: 50_000_000 };

/** Posts JSON to a speech service. */
export type SpeechPost = (url: string, body: object, scope: CallScope) => Promise<Uint8Array>;

/** What reaches a service. Throws a TypeError for options of another kind; what it rejects with never holds the key. */
export function speechPost(
  factory: string,
  service: string,
  options: SpeechServiceOptions,
  headers: (apiKey: string) => Readonly<Record<string, string>>,
  furtherKinds: Readonly<Record<string, OptionKind>> = {},
): SpeechPost {
  assertNeeded(factory, options, 'apiKey');
  assertOptions(factory, options, { ...optionKinds, ...furtherKinds });
  const { apiKey: key, http = createHttpClient({ limits: webLimits }) } = options;
  return async (url, body, scope) => {
    const post: HttpPost = {
      url,
      headers: { 'content-type': 'application/json', ...headers(key) },
      body: JSON.stringify(body),
      maxBytes: webLimits.maxBytes,
      staysOnHost: true,
    };
    let answer: Awaited<ReturnType<HttpClient['post']>>;
    try {
      answer = await http.post(post, scope);
    } catch (thrown) {
      throw failure(ToolError.from(thrown), service);
    }
    if (answer.endsEarly !== true && answer.status >= 200 && answer.status < 300) return answer.body;
    throw new ToolError('http_error', `${service} gave no whole answer (status ${answer.status}). Tell the user.`);
  };
}

/** The same failure in words of our own: those of a service repeat parts of the key. */
function failure({ code, metadata, retryAfterMs }: ToolError, service: string): ToolError {
  const status = typeof metadata?.status === 'number' ? metadata.status : undefined;
  const pause = retryAfterMs === undefined ? {} : { retryAfterMs };
  if (status === undefined) return new ToolError(code, `${service} failed: ${code}. Go on without it.`, pause);
  const [known, next] =
    status === 429
      ? (['rate_limited', 'It is asked too often, or its quota is used up. Tell the user.'] as const)
      : status === 401 || status === 403
        ? (['http_error', 'It refuses the key of the program. Tell the user.'] as const)
        : status < 500
          ? (['http_error', 'It may not know the voice: leave voice and format out.'] as const)
          : (['http_error', 'Try again later, or go on without it.'] as const);
  return new ToolError(known, `${service} failed with status ${status}. ${next}`, { metadata: { status }, ...pause });
}
