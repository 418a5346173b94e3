import { lineFeedsIn } from '../../../core/text/lines-and-sizes.js';
import type { GrepQuery } from '../../../ports/file-system.js';
import type { DecodedText } from '../query/decoded-text.js';
import { cutLine, grepLine } from '../query/output-line.js';
import type { GrepPattern, Span } from './grep-pattern.js';

export interface ScanOptions {
  readonly path: string;
  /**
   * Whether the query names the file. If so, a binary file is searched too; in mode `content` the result only says that
   * the file matches.
   */
  readonly isNamed: boolean;
  readonly query: GrepQuery;
  readonly pattern: GrepPattern;
  /** Matching lines after which the scan of a file ends; Infinity = all. */
  readonly maxLinesPerFile: number;
  readonly maxLineChars: number;
  /** Receives one output line; returns false if no more are needed. */
  readonly emit: (line: string | undefined) => boolean;
}

/**
 * The file cannot be searched: one of its lines is too long for the pattern, or its whole text is too long and matches
 * can cross lines.
 */
export class LineTooLong extends Error {}

/** The fixed cost of searching a line, in characters. */
const charsOfLine = 50;
/** The maximum factor by which characters beyond ASCII slow a search down. */
const slowness = 5;

/**
 * Searches the text of one file in pieces of whole lines, and writes the output lines. Memory is bounded by the longest
 * piece and the context lines.
 */
export class GrepScan {
  /**
   * The number of matching lines so far; the number of matches if the query has `onlyMatching` or matches cross lines.
   */
  found = 0;
  readonly #options: ScanOptions;
  #text = '';
  /** The start of the first line that is not processed yet, and the number of that line. */
  #at = 0;
  #line = 1;
  #before: string[] = [];
  #afterLeft = 0;
  #lastShown = 0;
  #isWanted = true;

  constructor(options: ScanOptions) {
    this.#options = options;
  }

  /** Searches one piece in steps. False if the rest of the file need not be read. */
  *scan(piece: DecodedText): Generator<void, boolean> {
    const { query, pattern, maxLinesPerFile } = this.#options;
    const { mode, onlyMatching, after } = query;
    this.#text = piece.text;
    this.#at = 0;
    for (const spans of pattern.crossesLines ? this.#acrossLines(piece) : this.#byLine(piece)) {
      if (spans === undefined) {
        yield;
        continue;
      }
      if (mode === 'files_with_matches') {
        this.found++;
        this.#emit(undefined);
        return false;
      }
      const { line, parts } = spans;
      this.found += onlyMatching || pattern.crossesLines ? Math.max(1, parts.length) : 1;
      if (mode === 'content') {
        this.#passTo(line.start);
        this.#showMatch(parts, line);
        this.#afterLeft = after;
        if (this.found >= maxLinesPerFile || !this.#isWanted) return false;
      }
    }
    if (mode === 'content') this.#passTo(this.#text.length, true);
    return this.#isWanted;
  }

  /** Yields each matching line with its matches (if the query needs them), and undefined when the search may pause. */
  *#byLine(piece: DecodedText): Generator<{ readonly line: Span; readonly parts: readonly Span[] } | undefined> {
    const { pattern, query } = this.#options;
    const { text, kind } = piece;
    if (text.length <= pattern.maxChars && !pattern.mayHold(piece)) return;
    let chars = 0;
    for (let at = pattern.candidate(piece, 0); at >= 0 && at < text.length; ) {
      const start = this.#lineStart(at);
      const end = this.#lineEnd(at);
      if (end - start > pattern.maxChars) throw new LineTooLong();
      const line = { text: text.slice(start, end), kind };
      if (pattern.isIn(line)) {
        const parts = query.onlyMatching ? yield* this.#partsOf(line, start) : [{ start, end }];
        yield { line: { start, end }, parts };
      }
      at = end + 1 > text.length ? -1 : pattern.candidate(piece, end + 1);
      chars += (end - start + charsOfLine) * (kind === 'ascii' ? 1 : slowness);
      if (chars < pattern.pieceChars) continue;
      chars = 0;
      yield undefined;
    }
  }

  /**
   * The matches in a line. Two kinds of empty matches do not count: directly after another match, and at the end of a
   * text without a final line feed.
   */
  *#partsOf(line: DecodedText, start: number): Generator<undefined, Span[]> {
    const found: Span[] = [];
    let lastEnd = -1;
    for (const match of this.#options.pattern.matches(line)) {
      if (start + match.start >= this.#text.length) break;
      if (match.end > match.start || match.start !== lastEnd)
        found.push({ start: start + match.start, end: start + match.end });
      lastEnd = match.end;
      yield undefined;
    }
    return found;
  }

  *#acrossLines(piece: DecodedText): Generator<{ readonly line: Span; readonly parts: readonly Span[] } | undefined> {
    const { pattern } = this.#options;
    const { text } = piece;
    if (text.length > pattern.maxChars) throw new LineTooLong();
    if (!pattern.mayHold(piece)) return;
    for (const match of pattern.matches(piece)) {
      // There is no line after the last line feed.
      if (match.start === text.length && (text === '' || text.endsWith('\n'))) return;
      const line = { start: this.#lineStart(match.start), end: this.#lineEnd(Math.max(match.start, match.end - 1)) };
      yield { line, parts: [match] };
      yield undefined;
    }
  }

  /**
   * Processes the lines up to `to`. Shows a line as context if it is at most `after` lines below the previous match or
   * `before` lines above the next match.
   */
  #passTo(to: number, isEnd = false): void {
    if (to < this.#at) return;
    const { before, after } = this.#options.query;
    const first = this.#line;
    const hasContext = before + after > 0;
    if (!hasContext) this.#line += lineFeedsIn(this.#text, this.#at, to);
    const lines = hasContext ? linesOf(this.#text.slice(this.#at, to)) : [];
    this.#at = to;
    if (!hasContext) return;
    this.#line += lines.length;
    const behind = lines.slice(0, this.#afterLeft);
    for (const [index, line] of behind.entries()) this.#show(line, first + index, 'context');
    this.#afterLeft -= behind.length;
    if (before > 0) for (const line of lines) this.#before.push(line);
    if (this.#before.length > 2 * before + 1_000) this.#before = this.#before.slice(-before);
    if (isEnd) return;
    const shown = Math.min(before, this.#before.length, this.#line - 1 - this.#lastShown);
    const ahead = this.#before.slice(this.#before.length - shown);
    this.#before = [];
    if (this.#lastShown > 0 && this.#line - ahead.length > this.#lastShown + 1) this.#emit('--');
    for (const [index, line] of ahead.entries()) this.#show(line, this.#line - ahead.length + index, 'context');
  }

  /** Shows the lines of a match, or the matching parts; lines that were shown already are left out. */
  #showMatch(parts: readonly Span[], { start, end }: Span): void {
    const text = this.#text;
    let line = this.#line - lineFeedsIn(text, start, this.#at);
    for (let at = start; at <= end; line++) {
      const lineEnd = this.#lineEnd(at);
      if (this.#options.query.onlyMatching)
        for (const span of parts) {
          const part = text.slice(Math.max(at, span.start), Math.min(lineEnd, span.end));
          if (part !== '' || (span.start === span.end && !this.#options.pattern.crossesLines))
            this.#show(part, line, 'match');
        }
      else if (at >= this.#at) this.#show(text.slice(at, lineEnd), line, 'match');
      at = lineEnd + 1;
      if (at > this.#at) {
        this.#at = Math.min(at, text.length);
        this.#line = line + 1;
      }
    }
    // As in ripgrep, a line whose only match is empty and at the end of the text is shown as a whole.
    if (parts.length === 0) this.#show(text.slice(start, end), line - 1, 'match');
  }

  #show(text: string, line: number, kind: 'match' | 'context'): void {
    const { path, query, maxLineChars } = this.#options;
    const shown = cutLine(text, () => Buffer.byteLength(text), maxLineChars);
    this.#lastShown = line;
    this.#emit(grepLine(path, line, kind, shown, query));
  }

  #emit(line: string | undefined): void {
    this.#isWanted &&= this.#options.emit(line);
  }

  #lineStart(position: number): number {
    return position === 0 ? 0 : this.#text.lastIndexOf('\n', position - 1) + 1;
  }

  #lineEnd(position: number): number {
    const end = this.#text.indexOf('\n', position);
    return end === -1 ? this.#text.length : end;
  }
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
