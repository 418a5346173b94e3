import { cutLine, grepLine, headBytes, type LineForm } from './grep-line.js';

/** Receives one output line; false when no more is wanted. The line is undefined for a path alone, and `--` between groups of one file. */
export type RipgrepLineHandler = (path: string, line: string | undefined) => boolean;

const newline = 10;
const zero = 0;
const binaryNotice = /: binary file matches \(found "\\0" byte around offset \d+\)$/;
const binaryWarning = /: WARNING: stopped searching binary file after match \(found "\\0" byte around offset \d+\)$/;

/**
 * Reads what ripgrep prints with `--null --with-filename --line-number --no-heading`, in pieces of any size.
 * Memory stays flat: of a line that is too long only the beginning and the size are kept.
 */
export class RipgrepOutput {
  readonly #mode: 'files_with_matches' | 'content' | 'count';
  readonly #form: LineForm;
  readonly #onLine: RipgrepLineHandler;
  readonly #maxPendingBytes: number;
  #pending: Buffer = Buffer.alloc(0);
  #droppedBytes = 0;
  #path: string | undefined;
  #separated = false;

  constructor(mode: 'files_with_matches' | 'content' | 'count', form: LineForm, onLine: RipgrepLineHandler) {
    this.#mode = mode;
    this.#form = form;
    this.#onLine = onLine;
    this.#maxPendingBytes = headBytes(form.maxLineChars) + 8_192;
  }

  /** Takes the next piece; false when no more is wanted. */
  push(chunk: Buffer): boolean {
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
    const path = record.toString('utf8', 0, pathEnd);
    if (this.#mode === 'count') return this.#onLine(path, `${path}:${record.toString('latin1', pathEnd + 1, length)}`);
    let mark = pathEnd + 1;
    while (isDigit(record[mark])) mark++;
    const kind = record[mark] === 45 ? 'context' : 'match';
    const textStart = mark + 1;
    const textEnd = Math.min(length, textStart + headBytes(this.#form.maxLineChars));
    const text = cutLine(
      record.toString('utf8', textStart, textEnd),
      () => length + this.#droppedBytes - textStart,
      this.#form.maxLineChars,
    );
    const line = Number(record.toString('latin1', pathEnd + 1, mark));
    if (this.#separated && path === this.#path && !this.#onLine(path, '--')) return false;
    this.#separated = false;
    this.#path = path;
    return this.#onLine(path, grepLine(path, line, kind, text, this.#form));
  }

  #plain(text: string): boolean {
    if (text === '--') {
      this.#separated = true;
      return true;
    }
    const notice = binaryNotice.exec(text);
    return notice === null ? true : this.#onLine(text.slice(0, notice.index), text);
  }
}

/** Where the record that starts at `start` ends; a path may hold line breaks, so the zero byte after it decides. */
function recordEnd(data: Buffer, start: number): number {
  const lineEnd = data.indexOf(newline, start);
  if (lineEnd === -1) return -1;
  const pathEnd = data.indexOf(zero, start);
  if (pathEnd !== -1 && pathEnd < lineEnd) return lineEnd;
  const first = data.toString('utf8', start, lineEnd);
  if (first === '--' || binaryNotice.test(first) || binaryWarning.test(first)) return lineEnd;
  return pathEnd === -1 ? -1 : data.indexOf(newline, pathEnd);
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 48 && byte <= 57;
}
