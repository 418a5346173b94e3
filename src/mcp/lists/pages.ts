import { isDeepStrictEqual } from 'node:util';
import { ToolError } from '../../core/error.js';
import { isRecord } from '../../core/support/check-values.js';
import type { ServerResult } from '../connection/connection.js';
import { listIn } from './read-server-result.js';

/** The raw entries of a list. */
export interface WholeList {
  readonly items: readonly unknown[];
  /** Why the list may be incomplete. */
  readonly problem?: string | undefined;
}

export interface ListBounds {
  readonly maxItems: number;
  readonly maxPages: number;
  /** The maximum number of characters of all entries together. */
  readonly maxChars: number;
}

/** The code of JSON-RPC for invalid parameters, which MCP uses for an invalid cursor. */
const invalidParams = -32_602;

/**
 * Reads the pages of a list until the end, a repeated cursor or a bound. Rejects for an error of the server and for an
 * invalid page. A cursor can be a number or an empty string. Some servers mark the end by the cursor `''` or `0`. The
 * list is complete if the server rejects such a cursor as invalid or returns the first page again. After another error
 * for such a cursor, `problem` says that the list may be incomplete.
 */
export async function listPages(
  key: string,
  page: (cursor: unknown) => Promise<ServerResult>,
  { maxItems, maxPages, maxChars }: ListBounds,
): Promise<WholeList> {
  const items: unknown[] = [];
  const seen = new Set<unknown>();
  let chars = 0;
  let cursor: unknown;
  for (let pages = 1; ; pages++) {
    const isEmpty = cursor === '' || cursor === 0;
    const result = await page(cursor).catch((thrown: unknown) => {
      if (!isEmpty || !ToolError.is(thrown) || thrown.code !== 'mcp_tool_error') throw thrown;
      return thrown;
    });
    if (ToolError.is(result)) {
      const isRefused = isRecord(result.cause) && result.cause.code === invalidParams;
      return isRefused ? { items } : { items, problem: `its list of ${key} may be incomplete: ${result.message}` };
    }
    const entries = listIn(result[key], key);
    if (isEmpty && isDeepStrictEqual(entries, items)) return { items };
    for (const entry of entries) {
      chars += charsOf(entry);
      if (items.length >= maxItems)
        return { items, problem: `it lists more than ${maxItems} ${key}; the rest is left out` };
      if (chars > maxChars) return { items, problem: `its list of ${key} is too long; the rest is left out` };
      items.push(entry);
    }
    const { nextCursor } = result;
    if (nextCursor === undefined || nextCursor === null) return { items };
    if (typeof nextCursor !== 'string' && typeof nextCursor !== 'number')
      return { items, problem: `its list of ${key} has an invalid cursor; the rest is left out` };
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
