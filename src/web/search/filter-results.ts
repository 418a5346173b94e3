import { ToolError } from '../../core/error.js';
import { hostMatcher, parseHttpUrl } from '../../core/support/urls.js';
import type { SearchQuery, SearchResult } from '../../ports/search-provider.js';

const maxUrlChars = 2_000;
const maxTitleChars = 300;
const maxSnippetChars = 1_000;

/** The query with `site:` operators. {@link boundResults} filters the results even without them. */
export function queryWithSites({ query, allowedDomains, blockedDomains }: Required<SearchQuery>): string {
  const sites = (allowedDomains ?? []).map((host) => `site:${host}`).join(' OR ');
  const parts = [
    query,
    sites.includes(' ') ? `(${sites})` : sites,
    ...(blockedDomains ?? []).map((host) => `-site:${host}`),
  ];
  const full = parts.filter((part) => part !== '').join(' ');
  // Services accept queries of at most 400 characters.
  return full.length <= 400 ? full : query;
}

/**
 * Keeps the results that are web pages on allowed hosts, at most as many as requested. Throws `search_unavailable` with
 * the service's reason when no item is a page.
 */
export function boundResults(found: readonly unknown[], snippetField: string, query: SearchQuery): SearchResult[] {
  const { allowedDomains = [], blockedDomains = [], maxResults = 10 } = query;
  const isAllowed = allowedDomains.length === 0 ? () => true : hostMatcher(allowedDomains);
  const isBlocked = hostMatcher(blockedDomains);
  const pages = found.flatMap((entry) => {
    const url = parseHttpUrl(String(field(entry, 'url')));
    return url === undefined ? [] : [{ url, entry }];
  });
  if (pages.length === 0 && found.length > 0) throw noResults(found);
  const results = pages.flatMap(({ url, entry }) => {
    // Models make mistakes when they copy longer URLs.
    if (url.href.length > maxUrlChars) return [];
    if (!isAllowed(url.hostname) || isBlocked(url.hostname)) return [];
    const snippet = oneLine(field(entry, snippetField), maxSnippetChars);
    const title = oneLine(field(entry, 'title'), maxTitleChars) || url.hostname;
    return [{ title, url: url.href, ...(snippet === '' ? {} : { snippet }) }];
  });
  return results.slice(0, maxResults);
}

function noResults(found: readonly unknown[]): ToolError {
  const said = found.flatMap((item) => ['error', 'message', 'reason', 'detail'].map((name) => field(item, name)));
  const reason = oneLine([...found, ...said, ...said.map((item) => field(item, 'message'))], maxTitleChars);
  const what = reason === '' ? 'results without the URL of a page' : `no results: ${reason.replace(/\.$/, '')}`;
  return new ToolError('search_unavailable', `The search returned ${what}. Tell the user, or continue without it.`);
}

/** A text, or a list of texts, on one line. */
function oneLine(value: unknown, maxChars: number): string {
  const texts = [value].flat().filter((part) => typeof part === 'string');
  return texts.join(' … ').replace(/\s+/g, ' ').trim().slice(0, maxChars).toWellFormed();
}

/** Reads a field of a value of any type. Returns undefined if the value is not an object or has no such field. */
export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? value[name as never] : undefined;
}
