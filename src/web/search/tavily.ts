import type { SearchProvider } from '../../ports/search-provider.js';
import { type SearchOptions, searchProvider } from './json-api.js';

/** Searches with Tavily's API. Throws a TypeError for invalid options. */
export function tavilySearch(options: SearchOptions): SearchProvider {
  return searchProvider(options, {
    factory: 'tavilySearch',
    name: 'Tavily',
    endpoint: 'https://api.tavily.com/search',
    headers: { authorization: `Bearer ${options?.apiKey}` },
    body: ({ query, allowedDomains: include_domains, blockedDomains: exclude_domains, maxResults = 10 }) => ({
      query,
      max_results: Math.min(20, maxResults),
      include_domains,
      exclude_domains,
    }),
    snippet: 'content',
  });
}
