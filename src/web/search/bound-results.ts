import { ToolError } from '../../core/error.js';
import { hostMatcher } from '../../core/http/host-names.js';
import { parseAddress } from '../../core/http/parse-address.js';
import type { SearchQuery, SearchResult } from '../../ports/search-provider.js';

const maxUrlChars = 2_000;
const maxTitleChars = 300;
const maxSnippetChars = 1_000;

/** The query with its domains as most engines understand them; results are checked anyway. */
export function queryWithSites({ query, allowedDomains, blockedDomains }: Required<SearchQuery>): string {
  const sites = (allowedDomains ?? []).map((host) => `site:${host}`).join(' OR ');
  const parts = [
    query,
    sites.includes(' ') ? `(${sites})` : sites,
    ...(blockedDomains ?? []).map((host) => `-site:${host}`),
  ];
  const full = parts.filter((part) => part !== '').join(' ');
  // Services take no longer query.
  return full.length <= 400 ? full : query;
}

/**
 * What was found, as far as it is wanted: pages of the web, on the hosts and as many as were asked for. Items of which
 * none is a page are `search_unavailable`, for the reason that they give.
 */
export function boundResults(found: readonly unknown[], snippetField: string, query: SearchQuery): SearchResult[] {
  const { allowedDomains = [], blockedDomains = [], maxResults = 10 } = query;
  const isAllowed = allowedDomains.length === 0 ? () => true : hostMatcher(allowedDomains);
  const isBlocked = hostMatcher(blockedDomains);
  const pages = found.flatMap((entry) => {
    const url = parseAddress(String(field(entry, 'url')));
    return url === undefined || !/^https?:$/.test(url.protocol) ? [] : [{ url, entry }];
  });
  if (pages.length === 0 && found.length > 0) throw noResults(found);
  const results = pages.flatMap(({ url, entry }) => {
    // No model could repeat a longer one.
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
  const what = reason === '' ? 'items without the address of a page' : `no results: ${reason.replace(/\.$/, '')}`;
  return new ToolError('search_unavailable', `The search gave ${what}. Tell the user, or go on without it.`);
}

/** A text, or several of them, in one line. */
function oneLine(value: unknown, maxChars: number): string {
  const texts = [value].flat().filter((part) => typeof part === 'string');
  return texts.join(' … ').replace(/\s+/g, ' ').trim().slice(0, maxChars).toWellFormed();
}

/** A field of what may be anything. */
export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? value[name as never] : undefined;
}
