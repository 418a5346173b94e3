import type { CallScope } from '../core/context.js';

/** A web search. */
export interface SearchQuery {
  readonly query: string;
  /** Only results from these hosts and their subdomains. */
  readonly allowedDomains?: readonly string[] | undefined;
  /** No results from these hosts and their subdomains. */
  readonly blockedDomains?: readonly string[] | undefined;
  /** Default 10. */
  readonly maxResults?: number | undefined;
}

/** A page in the results. */
export interface SearchResult {
  readonly title: string;
  readonly url: string;
  readonly snippet?: string | undefined;
}

/** Searches the web. Rejects with a ToolError `search_unavailable` that gives the reason. */
export interface SearchProvider {
  search(query: SearchQuery, scope: CallScope): Promise<readonly SearchResult[]>;
  /** Secrets for the scrubber of the toolkit, such as its API key. */
  secrets?(): readonly string[];
}
