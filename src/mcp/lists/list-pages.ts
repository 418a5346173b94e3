import type { ServerResult } from '../connection/connection.js';

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

/** Follows the pages of a list to the end, or to where they repeat or become too much. */
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
    const result = await page(cursor);
    const entries: unknown = result[key];
    for (const entry of Array.isArray(entries) ? entries : []) {
      chars += charsOf(entry);
      if (items.length >= maxItems)
        return { items, problem: `it lists more than ${maxItems} ${key}; the rest is left out` };
      if (chars > maxChars) return { items, problem: `its ${key} are too long together; the rest is left out` };
      items.push(entry);
    }
    const { nextCursor } = result;
    if (typeof nextCursor !== 'string' || nextCursor === '') return { items };
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
