import type { SearchProvider } from '../../ports/search-provider.js';
import { field, queryWithSites } from './filter-results.js';
import { type SearchOptions, searchProvider } from './json-api.js';

/** Searches with Brave's Web Search API. Throws a TypeError for invalid options. */
export function braveSearch(options: SearchOptions): SearchProvider {
  return searchProvider(options, {
    factory: 'braveSearch',
    name: 'Brave Search',
    endpoint: 'https://api.search.brave.com/res/v1/web/search',
    headers: { 'x-subscription-token': options?.apiKey },
    parameters: (query) => ({ q: queryWithSites(query), count: `${Math.min(20, query.maxResults ?? 10)}` }),
    // If nothing was found, the response contains `query` but no `web` field.
    results: (answer) => field(field(answer, 'web') ?? (field(answer, 'query') && { results: [] }), 'results'),
    snippet: 'description',
  });
}
