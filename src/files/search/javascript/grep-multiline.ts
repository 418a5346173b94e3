import { byteLength, type DecodedText, shownText } from '../query/grep-text.js';
import { binaryNotice, cutLine, grepLine } from './grep-line.js';
import { findMatch, nextPosition, type Span } from './grep-matches.js';
import type { ScanOptions } from './grep-scan.js';

/** Lines that matches cover without a gap, from `first` to `last`, numbered from 0. */
interface Block {
  readonly first: number;
  readonly last: number;
}

const allowanceMsPerMillion = 50;

/** Searches a whole file with matches that may span lines, and writes the output lines for it. */
export function scanMultiline(piece: DecodedText, options: ScanOptions): void {
  new MultilineScan(piece, options).run();
}

class MultilineScan {
  readonly #piece: DecodedText;
  readonly #text: string;
  readonly #options: ScanOptions;
  readonly #expression: RegExp;
  readonly #starts: readonly number[];
  readonly #hasZero: boolean;

  constructor(piece: DecodedText, options: ScanOptions) {
    this.#piece = piece;
    this.#text = piece.text;
    this.#options = options;
    this.#expression = options.matcher.expressionFor(piece);
    this.#starts = lineStarts(piece.text);
    this.#hasZero = piece.text.includes('\0');
  }

  run(): void {
    const { job, emit, path, isNamed } = this.#options;
    const { mode } = job.query;
    const blocks = this.#blocks(mode === 'files_with_matches' ? 1 : job.maxLinesPerFile);
    if (blocks.length === 0) return;
    if (mode === 'content') this.#write(blocks);
    else if (!isNamed && blocks.some((block) => this.#zeroIn(block) !== -1)) return;
    else if (mode === 'files_with_matches') emit(undefined);
    else emit(`${path}:${blocks.reduce((sum, block) => sum + Math.max(1, this.#spansIn(block).length), 0)}`);
  }

  /** The covered lines; blocks that touch are one. */
  #blocks(maxBlocks: number): Block[] {
    const blocks: Block[] = [];
    for (
      let match = this.#matchFrom(0);
      match !== undefined;
      match = this.#matchFrom(nextPosition(match, this.#text))
    ) {
      const first = this.#lineAt(match.start);
      const last = this.#lineAt(Math.max(match.start, match.end - 1));
      const previous = blocks.at(-1);
      if (previous !== undefined && first <= previous.last + 1)
        blocks[blocks.length - 1] = { first: previous.first, last: Math.max(previous.last, last) };
      else if (blocks.length >= maxBlocks) break;
      else blocks.push({ first, last });
    }
    return blocks;
  }

  #spansIn({ first, last }: Block): Span[] {
    const spans: Span[] = [];
    const blockEnd = this.#starts[last + 1] ?? this.#text.length;
    let lastEnd = -1;
    for (let match = this.#matchFrom(this.#starts[first] ?? 0); match !== undefined && match.start < blockEnd; ) {
      if (match.end > match.start || match.start !== lastEnd) spans.push(match);
      lastEnd = match.end;
      match = this.#matchFrom(nextPosition(match, this.#text));
    }
    return spans;
  }

  #write(blocks: readonly Block[]): void {
    const { before, after } = this.#options.job.query;
    let shown = -1;
    for (const [index, block] of blocks.entries()) {
      const from = Math.max(block.first - before, shown + 1);
      if (before + after > 0 && shown >= 0 && from > shown + 1) this.#options.emit('--');
      if (!this.#writeContext(from, block.first - 1) || !this.#writeBlock(block)) return;
      const next = blocks[index + 1]?.first ?? this.#starts.length;
      shown = Math.min(block.last + after, next - 1);
      if (!this.#writeContext(block.last + 1, shown)) return;
    }
  }

  #writeContext(first: number, last: number): boolean {
    for (let line = first; line <= last; line++) {
      if (this.#isBinary({ first: line, last: line })) return false;
      this.#show(line, this.#line(line), 'context');
    }
    return true;
  }

  #writeBlock(block: Block): boolean {
    if (this.#isBinary(block)) return false;
    if (this.#options.job.query.onlyMatching) this.#writeMatches(block);
    else for (let line = block.first; line <= block.last; line++) this.#show(line, this.#line(line), 'match');
    return true;
  }

  /** Lines with a zero byte are not shown, and neither is anything behind them; of a named file that is said. */
  #isBinary(block: Block): boolean {
    const zero = this.#zeroIn(block);
    if (zero === -1) return false;
    const { path, isNamed, emit } = this.#options;
    if (isNamed) emit(binaryNotice(path, byteLength(this.#text.slice(0, zero), this.#piece.kind)));
    return true;
  }

  #zeroIn({ first, last }: Block): number {
    if (!this.#hasZero) return -1;
    const zero = this.#text.indexOf('\0', this.#starts[first]);
    return zero < (this.#starts[last + 1] ?? this.#text.length) ? zero : -1;
  }

  /** The part of each match in each line; what lies between lines is not shown. */
  #writeMatches(block: Block): void {
    const spans = this.#spansIn(block);
    for (let line = block.first; line <= block.last; line++) {
      const start = this.#starts[line] ?? 0;
      const end = start + this.#line(line).length;
      for (const span of spans) {
        const part = this.#text.slice(Math.max(start, span.start), Math.min(end, span.end));
        if (part !== '') this.#show(line, part, 'match');
      }
    }
  }

  #show(line: number, raw: string, kind: 'match' | 'context'): void {
    const { path, job, emit } = this.#options;
    const text = cutLine(shownText(raw, this.#piece.kind), () => byteLength(raw, this.#piece.kind), job.maxLineChars);
    emit(grepLine(path, line + 1, kind, text, { lineNumbers: job.query.lineNumbers, maxLineChars: job.maxLineChars }));
  }

  #matchFrom(position: number): Span | undefined {
    const { control, job } = this.#options;
    const text = this.#text;
    control.enter(job.stallMs + (text.length / 1_000_000) * allowanceMsPerMillion);
    const match = findMatch(this.#expression, text, position);
    control.leave();
    return match;
  }

  #line(line: number): string {
    const next = this.#starts[line + 1];
    const end = next === undefined ? this.#text.length - (this.#text.endsWith('\n') ? 1 : 0) : next - 1;
    return this.#text.slice(this.#starts[line] ?? 0, end);
  }

  #lineAt(position: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1 && at + 1 < text.length; at = text.indexOf('\n', at + 1))
    starts.push(at + 1);
  return starts;
}
