import { binaryNoticePattern, cutLine, grepLine, headBytes, type LineForm } from '../query/output-line.js';

/**
 * Receives one output line; returns false if no further lines are needed. `line` is undefined if the query asks only
 * for paths; it is `--` between two groups of lines of one file.
 */
export type RipgrepLineHandler = (path: string, line: string | undefined) => boolean;

const newline = 10;
const zero = 0;
const colon = 58;
const hyphen = 45;
const maxMalformedBytes = 200;
const binaryWarning = /: WARNING: stopped searching binary file after match \(found "\\0" byte around offset \d+\)$/;

/** The parts of a record: its path ends at `pathEnd`, its line number at `mark`. */
interface RecordParts {
  readonly pathEnd: number;
  readonly mark: number;
  readonly path: string;
}

/**
 * Parses the output of ripgrep with `--null --with-filename --line-number --no-heading`, in pieces of any size. Memory
 * is bounded: if a line is too long, only its beginning and its size are kept.
 */
export class RipgrepOutput {
  /** True while ripgrep has printed nothing. */
  isEmpty = true;
  /** The beginning of the first line that is not in the format of ripgrep; undefined if every line is. */
  malformed: string | undefined;
  readonly #mode: 'files_with_matches' | 'content' | 'count';
  readonly #form: LineForm;
  readonly #onLine: RipgrepLineHandler;
  readonly #maxPendingBytes: number;
  #pending: Buffer = Buffer.alloc(0);
  #droppedBytes = 0;
  #path: string | undefined;
  #pathBytes: Buffer = Buffer.alloc(0);
  #separated = false;

  constructor(mode: 'files_with_matches' | 'content' | 'count', form: LineForm, onLine: RipgrepLineHandler) {
    this.#mode = mode;
    this.#form = form;
    this.#onLine = onLine;
    this.#maxPendingBytes = headBytes(form.maxLineChars) + 8_192;
  }

  /** The beginning of the last line if this line has no line feed; else undefined. */
  get unended(): string | undefined {
    return this.#pending.length === 0 ? undefined : this.#pending.toString('utf8', 0, maxMalformedBytes);
  }

  /** Adds the next piece; false when no more is needed. */
  push(chunk: Buffer): boolean {
    this.isEmpty = false;
    let data = chunk;
    if (this.#droppedBytes > 0) {
      const end = chunk.indexOf(newline);
      this.#droppedBytes += end === -1 ? chunk.length : end;
      if (end === -1) return true;
      if (!this.#record(this.#pending, this.#pending.length)) return false;
      this.#droppedBytes = 0;
      this.#pending = Buffer.alloc(0);
      data = chunk.subarray(end + 1);
    } else if (this.#pending.length > 0) {
      data = Buffer.concat([this.#pending, chunk]);
    }
    return this.#mode === 'files_with_matches' ? this.#paths(data) : this.#records(data);
  }

  #paths(data: Buffer): boolean {
    let start = 0;
    for (let end = data.indexOf(zero); end !== -1; end = data.indexOf(zero, start)) {
      if (!this.#onLine(data.toString('utf8', start, end), undefined)) return false;
      start = end + 1;
    }
    this.#pending = Buffer.from(data.subarray(start));
    return true;
  }

  #records(data: Buffer): boolean {
    let start = 0;
    for (;;) {
      const end = recordEnd(data, start);
      if (end === -1) break;
      if (!this.#record(data.subarray(start, end), end - start)) return false;
      start = end + 1;
    }
    const rest = data.subarray(start);
    if (rest.length > this.#maxPendingBytes) {
      this.#droppedBytes = rest.length - this.#maxPendingBytes;
      this.#pending = Buffer.from(rest.subarray(0, this.#maxPendingBytes));
    } else {
      this.#pending = Buffer.from(rest);
    }
    return true;
  }

  #record(record: Buffer, length: number): boolean {
    const pathEnd = record.indexOf(zero);
    if (pathEnd === -1) return this.#plain(record.toString('utf8'));
    let mark = pathEnd + 1;
    while (isDigit(record[mark])) mark++;
    const isWhole = this.#mode === 'count' ? mark === length : record[mark] === colon || record[mark] === hyphen;
    if (mark === pathEnd + 1 || !isWhole) return this.#refuse(record);
    const previous = this.#path;
    const path = this.#pathOf(record.subarray(0, pathEnd));
    if (this.#mode === 'count') return this.#onLine(path, `${path}:${record.toString('latin1', pathEnd + 1, length)}`);
    const line = this.#shown(record, length, { pathEnd, mark, path });
    if (this.#separated && path === previous && !this.#onLine(path, '--')) return false;
    this.#separated = false;
    return this.#onLine(path, line);
  }

  #pathOf(bytes: Buffer): string {
    if (this.#path === undefined || !bytes.equals(this.#pathBytes)) {
      this.#pathBytes = Buffer.from(bytes);
      this.#path = bytes.toString('utf8');
    }
    return this.#path;
  }

  #refuse(record: Buffer): false {
    this.malformed = record.toString('utf8', 0, maxMalformedBytes);
    return false;
  }

  #shown(record: Buffer, length: number, { pathEnd, mark, path }: RecordParts): string {
    const { lineNumbers, maxLineChars } = this.#form;
    const textStart = mark + 1;
    if (lineNumbers && length - textStart <= maxLineChars)
      return wholeLine(record, length, pathEnd, record[mark] ?? zero);
    const kind = record[mark] === hyphen ? 'context' : 'match';
    const textEnd = Math.min(length, textStart + headBytes(maxLineChars));
    const text = cutLine(
      record.toString('utf8', textStart, textEnd),
      () => length + this.#droppedBytes - textStart,
      maxLineChars,
    );
    return grepLine(path, Number(record.toString('latin1', pathEnd + 1, mark)), kind, text, this.#form);
  }

  #plain(text: string): boolean {
    if (text === '--') {
      this.#separated = true;
      return true;
    }
    const notice = binaryNoticePattern.exec(text);
    return notice === null ? true : this.#onLine(text.slice(0, notice.index), text);
  }
}

/**
 * The end of the record that starts at `start`, or -1. A path may contain line feeds, so the record ends at the first
 * line feed after the zero byte behind the path.
 */
function recordEnd(data: Buffer, start: number): number {
  const lineEnd = data.indexOf(newline, start);
  if (lineEnd === -1) return -1;
  const pathEnd = data.indexOf(zero, start);
  if (pathEnd !== -1 && pathEnd < lineEnd) return lineEnd;
  const first = data.toString('utf8', start, lineEnd);
  if (first === '--' || binaryNoticePattern.test(first) || binaryWarning.test(first)) return lineEnd;
  return pathEnd === -1 ? -1 : data.indexOf(newline, pathEnd);
}

/**
 * The record with `mark` in place of its zero byte. A line that is decoded in one piece takes a fraction of the memory
 * of a line that is joined from parts.
 */
function wholeLine(record: Buffer, length: number, zeroAt: number, mark: number): string {
  record[zeroAt] = mark;
  const line = record.toString('utf8', 0, length);
  record[zeroAt] = zero;
  return line;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 48 && byte <= 57;
}
