import { isDeepStrictEqual } from 'node:util';
import type { ServerResult } from '../connection/connection.js';
import { listOf } from './read-result.js';

/** The raw entries of a list. */
export interface WholeList {
  readonly items: readonly unknown[];
  /** Why the list may be incomplete. */
  readonly problem?: string | undefined;
}

/** Bounds of a list. */
export interface ListBounds {
  readonly maxItems: number;
  readonly maxPages: number;
  /** Characters of all entries together. */
  readonly maxChars: number;
}

/**
 * Reads the pages of a list until the end, a repeated cursor or a bound. Rejects for an invalid page. An empty cursor
 * is followed too. If the server rejects an empty cursor or returns the first page again, the list is complete.
 */
export async function listPages(
  key: string,
  page: (cursor: string | undefined) => Promise<ServerResult>,
  { maxItems, maxPages, maxChars }: ListBounds,
): Promise<WholeList> {
  const items: unknown[] = [];
  const seen = new Set<string>();
  let chars = 0;
  let cursor: string | undefined;
  for (let pages = 1; ; pages++) {
    const result = await page(cursor).catch((thrown: unknown) => {
      if (cursor !== '') throw thrown;
    });
    const entries = result === undefined ? [] : listOf(result[key], key);
    if (cursor === '' && isDeepStrictEqual(entries, items)) return { items };
    for (const entry of entries) {
      chars += charsOf(entry);
      if (items.length >= maxItems)
        return { items, problem: `it lists more than ${maxItems} ${key}; the rest is left out` };
      if (chars > maxChars) return { items, problem: `its list of ${key} is too long; the rest is left out` };
      items.push(entry);
    }
    const nextCursor = result?.nextCursor;
    if (typeof nextCursor !== 'string') return { items };
    if (seen.has(nextCursor)) return { items, problem: `its list of ${key} repeats a cursor` };
    if (pages >= maxPages) return { items, problem: `it has more than ${maxPages} pages of ${key}` };
    seen.add(nextCursor);
    cursor = nextCursor;
  }
}

function charsOf(entry: unknown): number {
  try {
    return JSON.stringify(entry).length;
  } catch {
    // An entry that is nested too deeply is refused later.
    return 0;
  }
}
