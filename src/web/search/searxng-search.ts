import { assertNeeded } from '../../core/support/check-values.js';
import type { SearchProvider } from '../../ports/search-provider.js';
import { queryWithSites } from './filter-results.js';
import { type SearchOptions, searchProvider } from './search-api.js';

/** Options of {@link searxngSearch}: the base URL of the instance, which may be on a private network. */
export interface SearxngOptions extends Pick<SearchOptions, 'http'> {
  readonly url: string;
}

/** Searches with a SearXNG instance whose settings list `json` under `search.formats`. */
export function searxngSearch(given: SearxngOptions): SearchProvider {
  assertNeeded('searxngSearch', given, 'url');
  const { url, ...options } = given;
  const endpoint = `${String(url).replace(/\/+$/, '')}/search`;
  return searchProvider(
    { ...options, endpoint },
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
