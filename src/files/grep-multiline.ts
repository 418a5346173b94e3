import { cutLine, grepLine } from './grep-line.js';
import type { ScanOptions } from './grep-scan.js';
import { byteLength, type DecodedText, shownText } from './grep-text.js';

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Searches a whole file with matches that may span lines, and writes the output lines for it. Answers whether anything was found. */
export function scanMultiline(piece: DecodedText, options: ScanOptions): boolean {
  const { job, emit, path } = options;
  const spans = findSpans(piece, options);
  if (spans.length === 0) return false;
  if (job.query.mode === 'files_with_matches') emit(undefined);
  else if (job.query.mode === 'count') emit(`${path}:${spans.length}`);
  else new MultilineOutput(piece, options).write(spans);
  return true;
}

function findSpans({ text, kind }: DecodedText, { job, matcher, control }: ScanOptions): Span[] {
  const expression = matcher.expressionFor({ text, kind });
  const most = job.query.mode === 'files_with_matches' ? 1 : job.maxLinesPerFile;
  const spans: Span[] = [];
  let position = 0;
  while (spans.length < most) {
    expression.lastIndex = position;
    control.enter(job.stallMs + text.length / 20_000);
    const match = expression.exec(text);
    control.leave();
    if (match === null || (match.index === text.length && (text === '' || text.endsWith('\n')))) break;
    const end = match.index + match[0].length;
    spans.push({ start: match.index, end });
    position = match[0] === '' ? end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1) : end;
  }
  return spans;
}

class MultilineOutput {
  readonly #piece: DecodedText;
  readonly #options: ScanOptions;
  readonly #starts: readonly number[];

  constructor(piece: DecodedText, options: ScanOptions) {
    this.#piece = piece;
    this.#options = options;
    this.#starts = lineStarts(piece.text);
  }

  write(spans: readonly Span[]): void {
    const { before, after, onlyMatching } = this.#options.job.query;
    const covered = spans.map((span) => this.#linesOf(span));
    let shown = -1;
    for (const [index, span] of spans.entries()) {
      const { first, last } = covered[index] ?? { first: 0, last: 0 };
      const from = Math.max(first - before, shown + 1);
      if (before + after > 0 && shown >= 0 && from > shown + 1) this.#options.emit('--');
      for (let line = from; line < first; line++) this.#show(line, this.#line(line), 'context');
      if (onlyMatching) this.#showMatch(span, first);
      else for (let line = Math.max(first, shown + 1); line <= last; line++) this.#show(line, this.#line(line), 'match');
      shown = Math.max(shown, last);
      const next = covered[index + 1]?.first ?? this.#starts.length;
      const until = Math.min(last + after, next - 1, this.#starts.length - 1);
      for (let line = shown + 1; line <= until; line++) this.#show(line, this.#line(line), 'context');
      shown = Math.max(shown, until);
    }
  }

  #showMatch({ start, end }: Span, first: number): void {
    const lines = this.#piece.text.slice(start, end).split('\n');
    if (lines.length > 1 && lines.at(-1) === '') lines.pop();
    lines.forEach((text, index) => {
      this.#show(first + index, text, 'match');
    });
  }

  #show(line: number, raw: string, kind: 'match' | 'context'): void {
    const { path, job, emit } = this.#options;
    const text = cutLine(shownText(raw, this.#piece.kind), () => byteLength(raw, this.#piece.kind), job.maxLineChars);
    emit(grepLine(path, line + 1, kind, text, { lineNumbers: job.query.lineNumbers, maxLineChars: job.maxLineChars }));
  }

  #line(line: number): string {
    const start = this.#starts[line] ?? 0;
    const next = this.#starts[line + 1] ?? this.#piece.text.length + 1;
    const end = this.#piece.text[next - 1] === '\n' ? next - 1 : this.#piece.text.length;
    return this.#piece.text.slice(start, end);
  }

  #linesOf({ start, end }: Span): { readonly first: number; readonly last: number } {
    return { first: this.#lineAt(start), last: this.#lineAt(Math.max(start, end - 1)) };
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
  for (let at = text.indexOf('\n'); at !== -1 && at + 1 < text.length; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
