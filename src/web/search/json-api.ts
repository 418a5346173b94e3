import { ToolError } from '../../core/error.js';
import { assertOptions, type OptionKinds } from '../../core/support/check-values.js';
import { hostName, httpUrlKind } from '../../core/support/urls.js';
import type { HttpClient } from '../../ports/http-client.js';
import type { SearchProvider, SearchQuery } from '../../ports/search-provider.js';
import { createHttpClient } from '../fetch/create-http-client.js';
import { jsonAnswer, jsonPost, keyedKinds } from '../fetch/keyed-service.js';
import { boundResults, field } from './filter-results.js';

/** Options of every search provider. */
export interface SearchOptions {
  readonly apiKey: string;
  /** Another URL of the same service, which may be on a private network. */
  readonly endpoint?: string | undefined;
  /** Default: a client that reaches only the host of the service. */
  readonly http?: HttpClient | undefined;
}

/** Describes one search service. */
export interface SearchApi {
  readonly factory: string;
  readonly name: string;
  readonly endpoint: string;
  /** Advice for status 401 and 403. Default: check the key. */
  readonly refusal?: string;
  readonly headers?: Readonly<Record<string, string>>;
  parameters?(query: Required<SearchQuery>): Readonly<Record<string, string>>;
  /** JSON body of a POST. Default: a GET request. */
  body?(query: Required<SearchQuery>): object;
  /** The list of results in a response. Default: its field `results`. */
  results?(answer: unknown): unknown;
  readonly snippet: string;
}

const optionKinds: OptionKinds<SearchOptions> = { ...keyedKinds, endpoint: httpUrlKind };

const maxBytes = 2_000_000;

/** Makes the provider of a service. Errors never contain the service's own text, which may repeat the key. */
export function searchProvider(options: Partial<SearchOptions>, api: SearchApi): SearchProvider {
  // A service with headers sends the API key in one of them, so it needs the key.
  assertOptions(api.factory, options, optionKinds, ...(api.headers === undefined ? [] : ['apiKey']));
  const { endpoint, apiKey } = options;
  const address = new URL(endpoint ?? api.endpoint);
  const allowHosts = [address.hostname];
  const http = options.http ?? createHttpClient({ allowHosts, allowPrivate: endpoint !== undefined && allowHosts });
  return {
    secrets: () => (apiKey === undefined ? [] : [apiKey]),
    async search({ query, allowedDomains, blockedDomains, maxResults = 10 }, scope) {
      const hosts = (names: readonly string[] = []) => names.map((name) => hostName(name) ?? name);
      const wanted = {
        query,
        allowedDomains: hosts(allowedDomains),
        blockedDomains: hosts(blockedDomains),
        maxResults,
      };
      const url = new URL(address);
      for (const [name, value] of Object.entries(api.parameters?.(wanted) ?? {})) url.searchParams.set(name, value);
      const request = { url: url.href, headers: { accept: 'application/json', ...api.headers }, maxBytes };
      try {
        const body = api.body?.(wanted);
        const answer = await (body === undefined
          ? http.get(request, scope)
          : http.post(jsonPost(request, body), scope));
        const json = jsonAnswer(answer.body);
        const results = api.results === undefined ? field(json, 'results') : api.results(json);
        if (Array.isArray(results)) return boundResults(results, api.snippet, wanted);
      } catch (error) {
        throw unavailable(api, ToolError.from(error));
      }
      const reason = 'did not return a list of results. Tell the user, or continue without a search.';
      throw new ToolError('search_unavailable', `${api.name} ${reason}`);
    },
  };
}

const reasons = new Map<unknown, string>([
  ['timeout', 'did not answer in time. Try again later.'],
  ['network_failed', 'could not be reached. Try again later.'],
  ['file_too_large', 'returned too much data. Use a narrower query.'],
  ['search_unavailable', 'returned invalid results. Tell the user, or continue without a search.'],
  [429, 'answered HTTP 429. Its quota is used up: try again later.'],
]);

function unavailable(
  { name, refusal = 'Tell the user to check the API key.' }: SearchApi,
  error: ToolError,
): ToolError {
  const { code, retryAfterMs, metadata } = error;
  if (code === 'cancelled' || code === 'interrupted') return error;
  const status = code === 'http_error' ? metadata?.status : undefined;
  const isRefused = status === 401 || status === 403;
  const next = status === 400 || status === 404 ? 'Tell the user.' : 'Try again later.';
  const answered = `answered HTTP ${status}. ${isRefused ? refusal : next}`;
  const reason = reasons.get(status ?? code) ?? (status === undefined ? 'failed. Tell the user.' : answered);
  return new ToolError('search_unavailable', `${name} ${reason}`, {
    metadata: status === undefined ? undefined : { status },
    retryAfterMs,
  });
}
