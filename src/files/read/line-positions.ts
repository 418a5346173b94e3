import { Pause } from '../../core/support/event-loop-yield.js';
import { LatestMap } from '../../core/support/latest-map.js';
import { type EncodingName, type TextEncoding, unitBytes } from '../../editing/encodings/codecs.js';
import type { LineFeedCounter } from '../../editing/encodings/line-feed-counter.js';
import type { FileStat, OpenFile } from '../../ports/file-system.js';

/** An open text file, with the buffer and the caches that reading a page needs. */
export interface TextFile {
  readonly file: OpenFile;
  readonly encoding: TextEncoding;
  /** Receives one block of the file. Its size is even. */
  readonly buffer: Buffer;
  /** Counts line feeds in that block; undefined without WebAssembly SIMD. */
  readonly counter: LineFeedCounter | undefined;
  readonly index: LineIndex;
  readonly signal: AbortSignal;
}

// File systems store times in steps of some hundredths of a second, or of two seconds.
const tickMs = 50;
const coarseTickMs = 2_000;

/** Finds where a line starts. If the file ends before this line, returns the last line with `isPastEnd`. */
export async function findLine(text: TextFile, line: number): Promise<LineMark & { readonly isPastEnd: boolean }> {
  const { file, encoding, buffer, counter, index, signal } = text;
  const { path, version, size } = file.stat;
  const isKept = isSettled(file.stat);
  let at: LineMark = index.before(path, version, line) ?? { line: 1, position: encoding.markBytes };
  const pause = at.line < line ? new Pause(signal) : undefined;
  while (at.line < line) {
    const count = await file.read(buffer, at.position);
    if (count === 0) return { ...at, isPastEnd: true };
    const { found, end } = skipLineFeeds(buffer.subarray(0, count), line - at.line, encoding.name, counter);
    const next = found === 0 ? await skipRest(text, at.position + count) : at.position + end;
    const lines = Math.max(1, found);
    if (next === undefined) return { ...at, isPastEnd: true };
    at = { line: at.line + lines, position: next };
    if (isKept) index.add(path, version, at);
    await pause?.ifDue();
  }
  return { ...at, isPastEnd: at.position >= size && at.line > 1 };
}

/** Whether offsets may be cached: a file that was written just now may change again without a new version. */
function isSettled({ mtimeMs }: FileStat): boolean {
  return Date.now() - mtimeMs > (mtimeMs % 1_000 === 0 ? coarseTickMs : tickMs);
}

/** The start of the next line after `position`; undefined if no line feed follows. */
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

/** The start of a line: the number of the line, from 1, and its byte offset. */
export interface LineMark {
  readonly line: number;
  readonly position: number;
}

interface IndexedFile {
  readonly version: string;
  readonly marks: LineMark[];
}

const maxFiles = 50;
const stepBytes = 1_000_000;

/** Caches the offsets of some lines of large files, about one per megabyte, so that the next page is found fast. */
export class LineIndex {
  readonly #files = new LatestMap<string, IndexedFile>(maxFiles);

  /** The last known mark at or before the line; undefined if this version of the file has none. */
  before(path: string, version: string, line: number): LineMark | undefined {
    return this.#known(path, version)?.marks.findLast((mark) => mark.line <= line);
  }

  add(path: string, version: string, mark: LineMark): void {
    const file = this.#known(path, version) ?? { version, marks: [] };
    this.#files.set(path, file);
    const { marks } = file;
    const at = marks.findLastIndex(({ position }) => position <= mark.position) + 1;
    const beside = [marks[at - 1]?.position ?? 0, marks[at]?.position ?? Number.POSITIVE_INFINITY];
    if (beside.every((position) => Math.abs(position - mark.position) >= stepBytes)) marks.splice(at, 0, mark);
  }

  #known(path: string, version: string): IndexedFile | undefined {
    const file = this.#files.get(path);
    return file?.version === version ? file : undefined;
  }
}

const lineFeed = 10;

/** Offset of the next line feed at or after `from` in a block that starts at a whole character, or -1. */
export function lineFeedAt(block: Buffer, from: number, encoding: EncodingName): number {
  let at = block.indexOf(lineFeed, from);
  if (unitBytes(encoding) === 1) return at;
  for (; at >= 0; at = block.indexOf(lineFeed, at + 1)) {
    const start = encoding === 'utf-16le' ? at : at - 1;
    const other = encoding === 'utf-16le' ? at + 1 : at - 1;
    if (start >= from && start % 2 === 0 && block[other] === 0) return start;
  }
  return -1;
}

/**
 * Skips `count` line feeds from the start of a block, or all if there are fewer. Returns the number of line feeds
 * `found`, and the offset `end` after the last one. A `counter` counts in its own memory, so the block must be the
 * start of that memory.
 */
export function skipLineFeeds(block: Buffer, count: number, encoding: EncodingName, counter?: LineFeedCounter) {
  const unit = unitBytes(encoding);
  if (counter !== undefined && unit === 1) return skipCounted(block, count, counter);
  let end = 0;
  let found = 0;
  while (found < count) {
    const at = lineFeedAt(block, end, encoding);
    if (at < 0) break;
    found++;
    end = at + unit;
  }
  return { found, end };
}

// In a shorter stretch, finding each line feed is no slower than counting them.
const minStretch = 1_024;

function skipCounted(block: Buffer, count: number, counter: LineFeedCounter) {
  const all = counter.count(0, block.length);
  if (all < count) return { found: all, end: block.lastIndexOf(lineFeed) + 1 };
  let end = 0;
  let found = 0;
  for (let stretch = block.length >> 1; stretch >= minStretch; stretch >>= 1) {
    const inside = counter.count(end, end + stretch);
    if (found + inside >= count) continue;
    found += inside;
    end += stretch;
  }
  for (; found < count; found++) end = block.indexOf(lineFeed, end) + 1;
  return { found, end };
}
