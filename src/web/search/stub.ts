import type { SearchProvider, SearchResult } from '../../ports/search-provider.js';
import { boundResults } from './filter-results.js';

/** A search provider for tests, which always returns the same results. Default: a page that names the query. */
export function stubSearch(results?: readonly SearchResult[]): SearchProvider {
  return {
    async search(query) {
      const made = { title: `Results for ${query.query}`, url: 'https://example.com/', snippet: 'A made-up page.' };
      return boundResults(results ?? [made], 'snippet', query);
    },
  };
}
