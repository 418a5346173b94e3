import { type TextEncoding, unitBytes } from '../../editing/encodings/encoding.js';
import type { LineFeedCounter } from '../../editing/encodings/line-feed-counter.js';
import type { FileStat, OpenFile } from '../../ports/file-system.js';
import { Pause } from '../disk/yield-to-event-loop.js';
import { lineFeedAt, skipLineFeeds } from './line-feeds.js';

/** An open text file and what paging through it needs. */
export interface TextFile {
  readonly file: OpenFile;
  readonly encoding: TextEncoding;
  /** One block; its size is even. */
  readonly buffer: Buffer;
  /** Counts in that block; undefined where there is none. */
  readonly counter: LineFeedCounter | undefined;
  readonly index: LineIndex;
  readonly signal: AbortSignal;
}

// Clocks of file systems tick in hundredths of a second at the slowest, or in seconds where they have no fractions.
const tickMs = 50;
const coarseTickMs = 2_000;

/** Where a line starts; when the file ends before it, the last line that there is, and `isPastEnd`. */
export async function findLine(text: TextFile, line: number): Promise<LineMark & { readonly isPastEnd: boolean }> {
  const { file, encoding, buffer, counter, index, signal } = text;
  const { path, version, size } = file.stat;
  const pause = new Pause(signal);
  const isKept = isSettled(file.stat);
  let at: LineMark = index.before(path, version, line) ?? { line: 1, position: encoding.markBytes };
  while (at.line < line) {
    const count = await file.read(buffer, at.position);
    if (count === 0) return { ...at, isPastEnd: true };
    const { found, end } = skipLineFeeds(buffer.subarray(0, count), line - at.line, encoding.name, counter);
    const next = found === 0 ? await skipRest(text, at.position + count) : at.position + end;
    const lines = Math.max(1, found);
    if (next === undefined) return { ...at, isPastEnd: true };
    at = { line: at.line + lines, position: next };
    if (isKept) index.add(path, version, at);
    await pause.ifDue();
  }
  return { ...at, isPastEnd: at.position >= size && at.line > 1 };
}

/**
 * Whether places in this state of a file may be remembered: one that is being written right now may change again
 * without a new version.
 */
export function isSettled({ mtimeMs }: FileStat): boolean {
  return Date.now() - mtimeMs > (mtimeMs % 1_000 === 0 ? coarseTickMs : tickMs);
}

/** Where the line after the one that `position` lies in starts; undefined when it is the last and has no line feed. */
export async function skipRest(
  { file, encoding, buffer, signal }: TextFile,
  position: number,
): Promise<number | undefined> {
  const pause = new Pause(signal);
  for (let at = position; ; ) {
    const count = await file.read(buffer, at);
    if (count === 0) return undefined;
    const feed = lineFeedAt(buffer.subarray(0, count), 0, encoding.name);
    if (feed >= 0) return at + feed + unitBytes(encoding.name);
    at += count;
    await pause.ifDue();
  }
}

/** Where a line starts: its number, from 1, and the byte. */
export interface LineMark {
  readonly line: number;
  readonly position: number;
}

/** Where a character of a line stands: its line and column, both from 1, and the byte. */
export interface ColumnMark extends LineMark {
  readonly column: number;
}

interface IndexedFile {
  readonly version: string;
  readonly marks: LineMark[];
  readonly columns: ColumnMark[];
}

const maxFiles = 50;
const stepBytes = 1_000_000;

/**
 * Remembers where lines start in large files that were paged through, and where columns of long lines stand, one mark
 * for about each megabyte, so that the next page need not count from the top.
 */
export class LineIndex {
  readonly #files = new Map<string, IndexedFile>();

  /** The last known mark at or before the line; undefined when nothing is known of this state of the file. */
  before(path: string, version: string, line: number): LineMark | undefined {
    return this.#known(path, version)?.marks.findLast((mark) => mark.line <= line);
  }

  /** The last known mark within the line at or before the column. */
  beforeColumn(path: string, version: string, line: number, column: number): ColumnMark | undefined {
    return this.#known(path, version)?.columns.findLast((mark) => mark.line === line && mark.column <= column);
  }

  /** Adds a mark that was come upon; marks near known ones are ignored. */
  add(path: string, version: string, mark: LineMark): void {
    insert(this.#fileAt(path, version).marks, mark);
  }

  /** The same for a place within a line. */
  addColumn(path: string, version: string, mark: ColumnMark): void {
    insert(this.#fileAt(path, version).columns, mark);
  }

  #known(path: string, version: string): IndexedFile | undefined {
    const file = this.#files.get(path);
    return file?.version === version ? file : undefined;
  }

  #fileAt(path: string, version: string): IndexedFile {
    const known = this.#files.get(path);
    this.#files.delete(path);
    const file = known?.version === version ? known : { version, marks: [], columns: [] };
    this.#files.set(path, file);
    for (const oldest of this.#files.keys()) {
      if (this.#files.size <= maxFiles) break;
      this.#files.delete(oldest);
    }
    return file;
  }
}

function insert<Mark extends LineMark>(marks: Mark[], mark: Mark): void {
  const after = marks.findIndex((known) => known.position > mark.position);
  const at = after < 0 ? marks.length : after;
  const nearest = Math.min(
    mark.position - (marks[at - 1]?.position ?? 0),
    (marks[at]?.position ?? Number.POSITIVE_INFINITY) - mark.position,
  );
  if (nearest >= stepBytes) marks.splice(at, 0, mark);
}
