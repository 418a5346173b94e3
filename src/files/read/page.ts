import { Pause } from '../../core/support/event-loop-yield.js';
import { wholeCharacter } from '../../core/text/cut.js';
import { decodeText, pieceDecoder, unitBytes } from '../../editing/encodings/codecs.js';
import { findLine, lineFeedAt, skipLineFeeds, skipRest, type TextFile } from './line-positions.js';

/** Which part of a text file to read. */
export interface PageRequest {
  readonly line: number;
  /** First character within the first line, from 1. */
  readonly column: number;
  readonly maxLines: number;
  readonly maxChars: number;
  /** Longer lines are cut. Exception: if the page starts at a column within a line, that line may fill the page. */
  readonly maxLineChars: number;
  /** Number of characters that are read before and after the shown part of a line. */
  readonly besideChars: number;
}

/** One line of a page, without its line break. */
export interface PageLine {
  readonly line: number;
  readonly text: string;
  readonly nextColumn: number | undefined;
  /** The characters right before and after the shown part, up to `besideChars`. */
  readonly before: string;
  readonly after: string;
}

/** A part of a text file. */
export interface Page {
  readonly lines: readonly PageLine[];
  /** The line to continue at; undefined at the end of the file. */
  readonly nextLine: number | undefined;
  /** Number of lines of the file; undefined if its end was not read. */
  readonly totalLines: number | undefined;
  /** Length of the first line, if the requested column is past its end. */
  readonly firstLength: number | undefined;
  /** The byte range of the shown lines, cut parts included. */
  readonly from: number;
  readonly until: number;
}

// Bytes that are decoded at once; most pages are smaller.
const decodedBytes = 65_536;

/** Reads a page of a text file. Bytes before it are skipped without decoding; bytes after it are not read. */
export async function readPage(text: TextFile, request: PageRequest): Promise<Page> {
  const found =
    request.line === 1
      ? { line: 1, position: text.encoding.markBytes, isPastEnd: false }
      : await findLine(text, request.line);
  const { size } = text.file.stat;
  const page = new PageBuilder(request, found.position);
  if (found.isPastEnd) return { ...page.end(size), totalLines: found.position >= size ? found.line - 1 : found.line };
  let at = found.position;
  if (request.column > 1) {
    const next = await readFromColumn(text, found.position, request, page);
    if (next === undefined) return page.end(size);
    at = next;
  }
  while (!page.isFull) {
    const next = await readBlock(text, at, page, request);
    if (next === undefined) return page.end(size);
    at = next;
  }
  return at >= size ? page.end(size) : page.more(at);
}

class PageBuilder {
  readonly #request: PageRequest;
  readonly #lines: PageLine[] = [];
  readonly #from: number;
  #chars = 0;
  #next: number;

  constructor(request: PageRequest, from: number) {
    this.#request = request;
    this.#from = from;
    this.#next = request.line;
  }

  firstLength: number | undefined;

  isFull = false;

  add(text: string, maxChars: number, firstColumn = 1, isCut = false, before = ''): boolean {
    const kept = cut(text, maxChars);
    // The line number, its tab and the line break count as well.
    const chars = String(this.#next).length + 2 + kept.length;
    if (this.#lines.length > 0 && this.#chars + chars > this.#request.maxChars) {
      this.isFull = true;
      return false;
    }
    const nextColumn = isCut || kept.length < text.length ? firstColumn + kept.length : undefined;
    const after = text.slice(kept.length, kept.length + this.#request.besideChars);
    this.#lines.push({ line: this.#next++, text: kept, nextColumn, before, after });
    this.#chars += chars;
    this.isFull = this.#lines.length >= this.#request.maxLines || this.#chars >= this.#request.maxChars;
    return true;
  }

  end(until: number): Page {
    return { ...this.#shown(until), nextLine: undefined, totalLines: this.#next - 1 };
  }

  more(until: number): Page {
    return { ...this.#shown(until), nextLine: this.#next, totalLines: undefined };
  }

  #shown(until: number) {
    return { lines: this.#lines, firstLength: this.firstLength, from: this.#from, until };
  }
}

/** Adds the lines of one block to the page. Returns the offset to continue at; undefined at the end of the file. */
async function readBlock(
  text: TextFile,
  at: number,
  page: PageBuilder,
  request: PageRequest,
): Promise<number | undefined> {
  const { file, encoding, buffer } = text;
  const { size } = file.stat;
  if (at >= size) return undefined;
  const count = await file.read(
    buffer.subarray(0, Math.min(buffer.length, decodedBytes, Math.max(2, size - at + 2))),
    at,
  );
  if (count === 0) return undefined;
  const block = buffer.subarray(0, count);
  const isLast = at + count >= size;
  const end = isLast ? count : endOfLastLine(block, text);
  if (end === 0) return readLongLine(text, at, count, page, request);
  const lines = decodeText(block.subarray(0, end), encoding.name).split('\n');
  const isOpen = lines.at(-1) !== '';
  if (!isOpen) lines.pop();
  let taken = 0;
  for (const line of lines) {
    if (page.isFull || !page.add(withoutReturn(line), request.maxLineChars)) break;
    taken++;
  }
  if (taken === lines.length) return at + end;
  return at + skipLineFeeds(block, taken, encoding.name).end;
}

/** Reads a line that does not fit into one block. The start of the line is shown, and the rest is skipped. */
async function readLongLine(
  text: TextFile,
  at: number,
  count: number,
  page: PageBuilder,
  request: PageRequest,
): Promise<number | undefined> {
  const { encoding, buffer } = text;
  const shown = Math.min(count, (request.maxLineChars + request.besideChars + 1) * 4);
  // The last character may be cut.
  const head = decodeText(buffer.subarray(0, shown), encoding.name).replace(/\ufffd+$/, '');
  if (!page.add(head, request.maxLineChars, 1, true)) return at;
  return skipRest(text, at + count);
}

/** The rest of a line from a column on. Returns where the next line starts; undefined if the line is the last one. */
async function readFromColumn(
  text: TextFile,
  lineStart: number,
  request: PageRequest,
  page: PageBuilder,
): Promise<number | undefined> {
  const { file, encoding, buffer, signal } = text;
  const decoder = pieceDecoder(encoding.name);
  const unit = unitBytes(encoding.name);
  const pause = new Pause(signal);
  const first = Math.max(1, request.column - request.besideChars);
  const behind = request.column - first;
  const add = (kept: string, isCut: boolean) => {
    const start = wholeCharacter(kept, behind);
    page.add(kept.slice(start), request.maxChars, first + start, isCut, kept.slice(0, start));
  };
  let column = 1;
  let kept = '';
  for (let at = lineStart; ; ) {
    const count = await file.read(buffer, at);
    const block = buffer.subarray(0, count);
    const feed = lineFeedAt(block, 0, encoding.name);
    const piece = decoder.decode(feed < 0 ? block : block.subarray(0, feed), feed >= 0 || count === 0);
    kept += piece.slice(Math.max(0, first - column));
    column += piece.length;
    if (feed >= 0 || count === 0) {
      const length = column - 1 - (piece.endsWith('\r') ? 1 : 0);
      if (length < request.column) page.firstLength = length;
      add(withoutReturn(kept), false);
      return feed < 0 ? undefined : at + feed + unit;
    }
    if (kept.length > behind + request.maxChars + request.besideChars) {
      add(kept, true);
      return skipRest(text, at + count);
    }
    at += count;
    await pause.ifDue();
  }
}

function endOfLastLine(block: Buffer, { encoding }: TextFile): number {
  if (unitBytes(encoding.name) === 1) return block.lastIndexOf(10) + 1;
  return (decodeText(block, encoding.name).lastIndexOf('\n') + 1) * 2;
}

// Every page must contain at least one whole character, or the next page would begin at the same position.
function cut(text: string, maxChars: number): string {
  return text.slice(0, wholeCharacter(text, maxChars) || 2);
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
