import type { GrepMatcher } from '../query/grep-matcher.js';
import { byteLength, type DecodedText, decodeText, shownText } from '../query/grep-text.js';
import type { SearchControl } from '../threads/search-control.js';
import type { GrepJob } from '../threads/search-job.js';
import { cutLine, grepLine } from './grep-line.js';
import { findMatch, nextPosition, type Span } from './grep-matches.js';

/** What scanning one file needs. */
export interface ScanOptions {
  readonly path: string;
  /** Named by the query itself; then a binary file is searched too and only said to match. */
  readonly isNamed: boolean;
  readonly job: GrepJob;
  readonly matcher: GrepMatcher;
  readonly control: SearchControl;
  /** Takes one output line. */
  readonly emit: (line: string | undefined) => void;
}

/** Milliseconds more than the usual allowance for each million characters of the text in hand. */
const allowanceMsPerMillion = 30;

/**
 * Searches the text of one file, which comes in pieces of whole lines, and writes the output lines for it.
 * Memory is bounded by the longest piece and the lines of context.
 */
export class LineScan {
  readonly #options: ScanOptions;
  #expression: RegExp | undefined;
  #nextLine = 1;
  #before: string[] = [];
  #afterLeft = 0;
  #lastShown = 0;
  #found = 0;

  constructor(options: ScanOptions) {
    this.#options = options;
  }

  /** Matching lines so far; matches where the query counts them. */
  get found(): number {
    return this.#found;
  }

  /** Passes over a piece that holds no match. Always true. */
  skip(bytes: Buffer): boolean {
    const { mode, before } = this.#options.job.query;
    if (mode === 'content' && (before > 0 || this.#afterLeft > 0)) this.#finishPiece(decodeText(bytes), 0);
    else if (mode === 'content') this.#nextLine += countLineFeeds(bytes);
    return true;
  }

  /** Whether a piece holds a match. Nothing is written. */
  matches(piece: DecodedText): boolean {
    this.#expression = this.#options.matcher.expressionFor(piece);
    return this.#match(piece, 0) !== undefined;
  }

  /** Searches one piece. False when nothing more of the file matters. */
  scan(piece: DecodedText): boolean {
    const { job, matcher } = this.#options;
    this.#expression = matcher.expressionFor(piece);
    if (job.query.mode === 'files_with_matches') {
      if (this.#match(piece, 0) === undefined) return true;
      this.#found++;
      this.#options.emit(undefined);
      return false;
    }
    return job.query.mode === 'count' ? this.#count(piece) : this.#content(piece);
  }

  #count(piece: DecodedText): boolean {
    const { text } = piece;
    const each = this.#options.job.query.onlyMatching;
    for (let position = 0; position < text.length; ) {
      const match = this.#match(piece, position);
      if (match === undefined) break;
      const end = lineEnd(text, match.start);
      this.#found += each ? Math.max(1, this.#matchesInLine(piece, match, end).length) : 1;
      position = end + 1;
    }
    return true;
  }

  #content(piece: DecodedText): boolean {
    const { text } = piece;
    const { maxLinesPerFile } = this.#options.job;
    let counted = 0;
    let line = this.#nextLine;
    for (let position = 0; position < text.length; ) {
      const match = this.#match(piece, position);
      if (match === undefined) break;
      const start = lineStart(text, match.start);
      line += countBetween(text, counted, start);
      this.#contextBetween(piece, counted, start, line);
      counted = start;
      const end = lineEnd(text, match.start);
      this.#showMatch(piece, match, line, start, end);
      position = end + 1;
      counted = Math.min(position, text.length);
      line++;
      this.#nextLine = line;
      this.#afterLeft = this.#options.job.query.after;
      this.#found++;
      if (this.#found >= maxLinesPerFile) return false;
    }
    this.#nextLine = line;
    this.#finishPiece(piece, counted);
    return true;
  }

  /** Context after the last match and before the next, where `from` to `to` holds the lines between them. */
  #contextBetween(piece: DecodedText, from: number, to: number, matchLine: number): void {
    const { before } = this.#options.job.query;
    if (before === 0 && this.#afterLeft === 0) {
      this.#separate(matchLine);
      return;
    }
    const between = linesOf(piece.text, from, to);
    const first = matchLine - between.length;
    const after = between.slice(0, this.#afterLeft);
    after.forEach((line, index) => {
      this.#showContext(piece, line, first + index);
    });
    const known = [...(from === 0 ? this.#before : []), ...between];
    const wanted = Math.min(before, matchLine - 1 - this.#lastShown, known.length);
    this.#separate(matchLine - wanted);
    known.slice(known.length - wanted).forEach((line, index) => {
      this.#showContext(piece, line, matchLine - wanted + index);
    });
  }

  #finishPiece(piece: DecodedText, from: number): void {
    const { query } = this.#options.job;
    const lines = linesOf(piece.text, from, piece.text.length);
    const after = lines.slice(0, this.#afterLeft);
    after.forEach((line, index) => {
      this.#showContext(piece, line, this.#nextLine + index);
    });
    this.#afterLeft -= after.length;
    this.#nextLine += lines.length;
    if (query.before > 0) this.#before = [...this.#before, ...lines].slice(-query.before);
  }

  #showMatch(piece: DecodedText, match: Span, line: number, start: number, end: number): void {
    const { text } = piece;
    const parts = this.#options.job.query.onlyMatching ? this.#matchesInLine(piece, match, end) : [];
    // A line whose only match is empty and behind its last character is shown whole, with ripgrep too.
    if (parts.length === 0) this.#show(piece, text.slice(start, end), line, 'match');
    for (const part of parts) this.#show(piece, text.slice(part.start, part.end), line, 'match');
  }

  /**
   * The matches from `first` to the end of its line. One that is empty does not count right behind another, nor at the
   * end of a text without a final line feed.
   */
  #matchesInLine(piece: DecodedText, first: Span, end: number): Span[] {
    const found: Span[] = [];
    let lastEnd = -1;
    for (
      let match: Span | undefined = first;
      match !== undefined && match.start <= end && match.start < piece.text.length;
    ) {
      if (match.end > match.start || match.start !== lastEnd) found.push(match);
      lastEnd = match.end;
      const position = nextPosition(match, piece.text);
      match = position > end ? undefined : this.#match(piece, position);
    }
    return found;
  }

  #showContext(piece: DecodedText, text: string, line: number): void {
    if (line > this.#lastShown) this.#show(piece, text, line, 'context');
  }

  #show(piece: DecodedText, raw: string, line: number, kind: 'match' | 'context'): void {
    const { path, job, emit } = this.#options;
    const text = cutLine(shownText(raw, piece.kind), () => byteLength(raw, piece.kind), job.maxLineChars);
    this.#lastShown = line;
    emit(grepLine(path, line, kind, text, { lineNumbers: job.query.lineNumbers, maxLineChars: job.maxLineChars }));
  }

  #separate(nextLine: number): void {
    const { before, after } = this.#options.job.query;
    if (before + after > 0 && this.#lastShown > 0 && nextLine > this.#lastShown + 1) this.#options.emit('--');
  }

  #match({ text }: DecodedText, position: number): Span | undefined {
    const { control, job } = this.#options;
    const expression = this.#expression;
    if (expression === undefined) return undefined;
    control.enter(job.stallMs + (text.length / 1_000_000) * allowanceMsPerMillion);
    const match = findMatch(expression, text, position);
    control.leave();
    return match;
  }
}

function lineStart(text: string, position: number): number {
  return position === 0 ? 0 : text.lastIndexOf('\n', position - 1) + 1;
}

function lineEnd(text: string, position: number): number {
  const end = text.indexOf('\n', position);
  return end === -1 ? text.length : end;
}

function linesOf(text: string, from: number, to: number): string[] {
  if (from >= to) return [];
  const lines = text.slice(from, to).split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function countBetween(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

function countLineFeeds(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) count++;
  return count;
}
