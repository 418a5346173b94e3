import { byPath } from '../../../core/text/path-names.js';
import type { FileLines, GrepQuery, GrepResult } from '../../../ports/file-system.js';

export interface GrepCollectorOptions {
  readonly query: Pick<GrepQuery, 'mode' | 'before' | 'after' | 'limit' | 'offset'>;
  /** The maximum number of characters that are kept. */
  readonly maxChars: number;
  /** True for files that are left out. */
  readonly isHidden: (path: string) => boolean;
}

interface Group {
  readonly path: string;
  readonly lines: string[];
}

/**
 * Collects the output of either engine and keeps the lines that one page needs. The files may come in any order.
 * Without an offset, the collector ends the search once the limit is exceeded. With an offset, the collector receives
 * all lines, but keeps only the first files in the order of paths. In the mode `files_with_matches` it keeps all paths.
 */
export class GrepCollector {
  /** Whether there are more lines than were kept. */
  more = false;
  readonly #options: GrepCollectorOptions;
  readonly #paged: boolean;
  readonly #separators: boolean;
  readonly #wanted: number;
  #groups: Group[] = [];
  #current: Group | undefined;
  #isHidden = false;
  #lineCount = 0;
  #charCount = 0;
  #lastPath: string | undefined;
  #seenPath: string | undefined;
  #seenCount = 0;
  #seenInFile = 0;
  #isCapped = false;

  constructor(options: GrepCollectorOptions) {
    const { mode, before, after, limit, offset } = options.query;
    this.#options = options;
    this.#paged = mode !== 'files_with_matches' && offset !== undefined;
    this.#separators = mode === 'content' && (before > 0 || after > 0);
    this.#wanted = mode === 'files_with_matches' ? Number.POSITIVE_INFINITY : (offset ?? 0) + limit;
  }

  /**
   * Adds one line of a file, or only its path. All lines of a file must be added one after the other. Returns false
   * when no more lines are needed.
   */
  add(path: string, line: string | undefined): boolean {
    if (path !== this.#seenPath) this.#startFile(path);
    if (this.#isHidden) return true;
    this.#seenCount++;
    // A page needs at most `#wanted` lines, so further lines of this file are not kept.
    if (++this.#seenInFile > this.#wanted) {
      this.#isCapped = this.more = true;
      return this.#paged;
    }
    if (path !== this.#current?.path && !this.#startGroup(path)) return true;
    this.#lineCount++;
    this.#charCount += line === undefined ? path.length : line.length;
    if (line !== undefined) this.#current?.lines.push(line);
    if (this.#charCount > this.#options.maxChars) {
      this.#isCapped = this.more = true;
      return false;
    }
    if (this.#lineCount <= this.#wanted) return true;
    this.more = true;
    if (!this.#paged) return false;
    if (this.#lineCount > 2 * this.#wanted + 1_000) this.#dropLast();
    return true;
  }

  /** The kept lines. They are sorted by path, unless the search ended early without an offset. */
  files(): readonly FileLines[] {
    if (this.#paged || !this.more) this.#groups.sort(byPath);
    return this.#groups;
  }

  /**
   * Returns one page of `files`: the lines as one list (with `--` between files if the query asks for context lines)
   * and grouped by file.
   */
  page(files = this.files()) {
    const { limit, offset = 0 } = this.#options.query;
    const all: string[] = [];
    const shown: FileLines[] = [];
    for (const { path, lines } of files) {
      if (this.#separators && all.length > 0) all.push('--');
      const own = lines.slice(Math.max(0, offset - all.length), Math.max(0, offset + limit - all.length));
      if (own.length > 0) shown.push({ path, lines: own });
      for (const line of lines) all.push(line);
      if (all.length > this.#wanted) break;
    }
    const lines = all.slice(offset, offset + limit);
    const truncated = this.more || all.length > offset + limit;
    if (truncated && lines.at(-1) === '--') lines.pop();
    const sawAll = this.#paged && !this.#isCapped && files.length === this.#groups.length;
    return { lines, files: shown, truncated, total: truncated ? (sawAll ? this.#seenCount : undefined) : all.length };
  }

  #startFile(path: string): void {
    this.#seenPath = path;
    this.#seenInFile = 0;
    this.#isHidden = this.#options.isHidden(path);
    if (this.#separators && !this.#isHidden && this.#seenCount > 0) this.#seenCount++;
  }

  #startGroup(path: string): boolean {
    if (this.#lastPath !== undefined && path > this.#lastPath) return false;
    if (this.#separators && this.#groups.length > 0) this.#lineCount++;
    this.#current = { path, lines: [] };
    this.#groups.push(this.#current);
    return true;
  }

  #dropLast(): void {
    this.#groups.sort(byPath);
    let lineCount = 0;
    const kept: Group[] = [];
    for (const group of this.#groups) {
      if (lineCount > this.#wanted) break;
      lineCount += group.lines.length + (this.#separators && kept.length > 0 ? 1 : 0);
      kept.push(group);
    }
    this.#groups = kept;
    this.#lastPath = kept.at(-1)?.path;
    this.#lineCount = lineCount;
    this.#charCount = kept.reduce((sum, group) => sum + group.lines.reduce((chars, line) => chars + line.length, 0), 0);
    if (this.#current !== undefined && !kept.includes(this.#current)) this.#current = undefined;
  }
}

/** The page of a query for paths. `isCut` says that `paths` is incomplete. */
export function pageOfPaths(
  paths: readonly string[],
  { offset = 0, limit }: Pick<GrepQuery, 'offset' | 'limit'>,
  isCut: boolean,
): Pick<GrepResult, 'lines' | 'truncated' | 'total'> {
  return {
    lines: paths.slice(offset, offset + limit),
    truncated: isCut || paths.length > offset + limit,
    total: isCut ? undefined : paths.length,
  };
}
