import type { SearchProvider } from '../../ports/search-provider.js';
import { type SearchOptions, searchProvider } from './json-api.js';

/** Searches with Exa's API. Throws a TypeError for invalid options. */
export function exaSearch(options: SearchOptions): SearchProvider {
  return searchProvider(options, {
    factory: 'exaSearch',
    name: 'Exa',
    endpoint: 'https://api.exa.ai/search',
    headers: { 'x-api-key': options?.apiKey },
    body: ({ query, allowedDomains, blockedDomains, maxResults = 10 }) => ({
      query,
      numResults: Math.min(100, maxResults),
      contents: { highlights: true },
      // An empty list would exclude every host.
      ...(allowedDomains?.length ? { includeDomains: allowedDomains } : {}),
      ...(blockedDomains?.length ? { excludeDomains: blockedDomains } : {}),
    }),
    snippet: 'highlights',
  });
}
