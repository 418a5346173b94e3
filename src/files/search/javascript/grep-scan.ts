import type { GrepMatcher } from '../query/grep-matcher.js';
import type { DecodedText } from '../query/grep-text.js';
import type { SearchControl } from '../threads/search-control.js';
import type { GrepJob } from '../threads/search-job.js';
import { cutLine, grepLine } from './grep-line.js';
import { timedStep } from './timed-step.js';

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

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Milliseconds more than the usual allowance for each million characters of the text in hand. */
const allowanceMsPerMillion = 50;
/** Characters of a line from which on it is the fault of the file rather than of the pattern where matching runs away. */
const longLine = 2_000;

/**
 * Searches the text of one file, which comes in pieces of whole lines, and writes the output lines for it. Memory is
 * bounded by the longest piece and the lines of context.
 */
export class GrepScan {
  readonly #options: ScanOptions;
  #expression = /(?:)/g;
  #text = '';
  #hasLongLine = false;
  /** Where the first line begins that was not passed yet, and its number. */
  #at = 0;
  #line = 1;
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

  /** Searches one piece. False when nothing more of the file matters. */
  scan(piece: DecodedText): boolean {
    const { job, matcher, emit } = this.#options;
    const { mode, onlyMatching, after } = job.query;
    const multiline = matcher.crossesLines;
    this.#expression = matcher.expressionFor(piece);
    this.#text = piece.text;
    this.#hasLongLine = holdsLongLine(piece.text);
    this.#at = 0;
    for (let match = this.#match(0); match !== undefined; ) {
      if (mode === 'files_with_matches') {
        this.#found++;
        emit(undefined);
        return false;
      }
      const start = this.#lineStart(match.start);
      const end = this.#lineEnd(Math.max(match.start, match.end - 1));
      const spans = multiline ? [match] : onlyMatching ? this.#matchesIn(match, end) : [match];
      this.#found += onlyMatching || multiline ? Math.max(1, spans.length) : 1;
      if (mode === 'content') {
        this.#passTo(start);
        this.#showMatch(spans, start, end);
        this.#afterLeft = after;
        if (this.#found >= job.maxLinesPerFile) return false;
      }
      match = this.#match(multiline ? this.#behind(match) : end + 1);
    }
    if (mode === 'content') this.#passTo(this.#text.length, true);
    return true;
  }

  /** Passes the lines up to `to`, and shows those that are context of the matches before and behind them. */
  #passTo(to: number, isEnd = false): void {
    if (to < this.#at) return;
    const { before, after } = this.#options.job.query;
    const first = this.#line;
    const hasContext = before + after > 0;
    if (!hasContext) this.#line += countBetween(this.#text, this.#at, to);
    const lines = hasContext ? linesOf(this.#text.slice(this.#at, to)) : [];
    this.#at = to;
    if (!hasContext) return;
    this.#line += lines.length;
    const behind = lines.slice(0, this.#afterLeft);
    for (const [index, line] of behind.entries()) this.#show(line, first + index, 'context');
    this.#afterLeft -= behind.length;
    const known = [...this.#before, ...lines].slice(-before || Number.POSITIVE_INFINITY);
    this.#before = before === 0 ? [] : known;
    if (isEnd) return;
    const ahead = this.#before.slice(Math.max(0, this.#before.length - (this.#line - 1 - this.#lastShown)));
    this.#before = [];
    if (this.#lastShown > 0 && this.#line - ahead.length > this.#lastShown + 1) this.#options.emit('--');
    for (const [index, line] of ahead.entries()) this.#show(line, this.#line - ahead.length + index, 'context');
  }

  /** Shows the lines from `start` to `end`, or the parts of them that match; those that were shown before are left out. */
  #showMatch(spans: readonly Span[], start: number, end: number): void {
    const text = this.#text;
    let line = this.#line - countBetween(text, start, this.#at);
    for (let at = start; at <= end; line++) {
      const lineEnd = this.#lineEnd(at);
      if (this.#options.job.query.onlyMatching)
        for (const span of spans) {
          const part = text.slice(Math.max(at, span.start), Math.min(lineEnd, span.end));
          if (part !== '' || (span.start === span.end && !this.#options.matcher.crossesLines))
            this.#show(part, line, 'match');
        }
      else if (at >= this.#at) this.#show(text.slice(at, lineEnd), line, 'match');
      at = lineEnd + 1;
      if (at > this.#at) {
        this.#at = Math.min(at, text.length);
        this.#line = line + 1;
      }
    }
    // A line whose only match is empty and behind its last character is shown whole, with ripgrep too.
    if (spans.length === 0) this.#show(text.slice(start, end), line - 1, 'match');
  }

  /**
   * The matches from `first` to the end of its line. One that is empty does not count right behind another, nor at the
   * end of a text without a final line feed.
   */
  #matchesIn(first: Span, end: number): Span[] {
    const found: Span[] = [];
    let lastEnd = -1;
    let match: Span | undefined = first;
    while (match !== undefined && match.start <= end && match.start < this.#text.length) {
      if (match.end > match.start || match.start !== lastEnd) found.push(match);
      lastEnd = match.end;
      const position: number = this.#behind(match);
      match = position > end ? undefined : this.#match(position);
    }
    return found;
  }

  #show(text: string, line: number, kind: 'match' | 'context'): void {
    const { path, job, emit } = this.#options;
    const { lineNumbers } = job.query;
    const shown = cutLine(text, () => Buffer.byteLength(text), job.maxLineChars);
    this.#lastShown = line;
    emit(grepLine(path, line, kind, shown, { lineNumbers, maxLineChars: job.maxLineChars }));
  }

  /**
   * The first match at `position` or behind. Nothing is found behind the last line feed, where no line is, and no empty
   * match inside a character.
   */
  #match(position: number): Span | undefined {
    const { control, job } = this.#options;
    const allowanceMs = job.stallMs + (this.#text.length / 1_000_000) * allowanceMsPerMillion;
    // Where a step cannot be ended, the thread is.
    control.enter(this.#hasLongLine ? 2 * allowanceMs : allowanceMs);
    try {
      const find = () => this.#find(position);
      return this.#hasLongLine ? timedStep(allowanceMs, find) : find();
    } finally {
      control.leave();
    }
  }

  #find(position: number): Span | undefined {
    const text = this.#text;
    for (let from = position; from <= text.length; ) {
      this.#expression.lastIndex = from;
      const match = this.#expression.exec(text);
      if (match === null || (match.index === text.length && (text === '' || text.endsWith('\n')))) return undefined;
      const isInside = match.index > 0 && (text.codePointAt(match.index - 1) ?? 0) > 0xffff;
      if (match[0] !== '' || !isInside) return { start: match.index, end: match.index + match[0].length };
      from = match.index + 1;
    }
    return undefined;
  }

  /** Where to look for the match after this one; an empty match moves on by one character. */
  #behind({ start, end }: Span): number {
    return end > start ? end : end + ((this.#text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1);
  }

  #lineStart(position: number): number {
    return position === 0 ? 0 : this.#text.lastIndexOf('\n', position - 1) + 1;
  }

  #lineEnd(position: number): number {
    const end = this.#text.indexOf('\n', position);
    return end === -1 ? this.#text.length : end;
  }
}

function holdsLongLine(text: string): boolean {
  for (let at = 0; at + longLine < text.length; ) {
    const feed = text.lastIndexOf('\n', at + longLine);
    if (feed < at) return true;
    at = feed + 1;
  }
  return false;
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function countBetween(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
