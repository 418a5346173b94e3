import { assertOptions } from '../../core/support/check-values.js';
import { httpUrlKind } from '../../core/support/urls.js';
import type { SearchProvider } from '../../ports/search-provider.js';
import { keyedKinds } from '../fetch/keyed-service.js';
import { queryWithSites } from './filter-results.js';
import { type SearchOptions, searchProvider } from './json-api.js';

/** Options of {@link searxngSearch}: the base URL of the instance, which may be on a private network. */
export interface SearxngOptions extends Pick<SearchOptions, 'http'> {
  readonly url: string;
}

/** Searches with a SearXNG instance whose settings list `json` under `search.formats`. */
export function searxngSearch(given: SearxngOptions): SearchProvider {
  assertOptions('searxngSearch', given, { url: httpUrlKind, http: keyedKinds.http }, 'url');
  const { url, http } = given;
  const endpoint = `${url.replace(/\/+$/, '')}/search`;
  return searchProvider(
    { http, endpoint },
    {
      factory: 'searxngSearch',
      name: 'SearXNG',
      endpoint,
      refusal: 'Tell the user that its settings must list json under search.formats.',
      parameters: (query) => ({ q: queryWithSites(query), format: 'json' }),
      snippet: 'content',
    },
  );
}
