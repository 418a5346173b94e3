import { isDeepStrictEqual } from 'node:util';
import type { ServerResult } from '../connection/connection.js';
import { listOf } from './read-result.js';

/** All entries of a list, unread. */
export interface WholeList {
  readonly items: readonly unknown[];
  /** Why the list may lack some. */
  readonly problem?: string | undefined;
}

/** What bounds a list. */
export interface ListBounds {
  readonly maxItems: number;
  readonly maxPages: number;
  /** Characters of all entries together. */
  readonly maxChars: number;
}

/**
 * Follows the pages of a list to the end, or to where they repeat or become too much. Rejects for a page that is no
 * list. An empty cursor is one; where the server meant none by it, it refuses it or begins anew, which is the end.
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
      if (chars > maxChars) return { items, problem: `its ${key} are too long together; the rest is left out` };
      items.push(entry);
    }
    const nextCursor = result?.nextCursor;
    if (typeof nextCursor !== 'string') return { items };
    if (seen.has(nextCursor)) return { items, problem: `its list of ${key} goes round in a circle` };
    if (pages >= maxPages) return { items, problem: `it has more than ${maxPages} pages of ${key}` };
    seen.add(nextCursor);
    cursor = nextCursor;
  }
}

function charsOf(entry: unknown): number {
  try {
    return JSON.stringify(entry).length;
  } catch {
    // Nested too deeply to be written; it is refused for that later.
    return 0;
  }
}
