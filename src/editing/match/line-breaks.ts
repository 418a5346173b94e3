/**
 * The line breaks of a text. A line break is `\n` with the `\r` right before it, if any. In a text without `\n` (an old
 * Macintosh file), a line break is `\r`. `feeds` means a text without `\r`, `returns` a text with `\r` but without
 * `\n`, and `mixed` a text with both.
 */
export type LineBreakKind = 'feeds' | 'returns' | 'mixed';

export function lineBreakKind(text: string): LineBreakKind {
  if (!text.includes('\r')) return 'feeds';
  return text.includes('\n') ? 'mixed' : 'returns';
}

/** The line break of most lines of a text; undefined if there is no majority. */
export function usualLineBreak(text: string): '\n' | '\r\n' | '\r' | undefined {
  if (lineBreakKind(text) === 'returns') return '\r';
  let lead = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lead += text[at - 1] === '\r' ? -1 : 1;
  return lead === 0 ? undefined : lead > 0 ? '\n' : '\r\n';
}

/**
 * Returns a function that maps an offset to the line break of its line, or else of the line before. If neither line has
 * a line break, the result is `\r` in a text with only `\r`, or else `\n`. The function caches the last result, so that
 * many calls for one long line are cheap.
 */
export function lineBreakFinder(text: string): (at: number) => string {
  let known: { readonly from: number; readonly until: number; readonly lineBreak: string } | undefined;
  return (at) => {
    if (known === undefined || at < known.from || at > known.until) {
      const next = text.indexOf('\n', at);
      const feed = next < 0 ? text.lastIndexOf('\n', at) : next;
      const lineBreak = feed < 0 ? (text.includes('\r') ? '\r' : '\n') : text[feed - 1] === '\r' ? '\r\n' : '\n';
      known = { from: at, until: next < 0 ? text.length : next, lineBreak };
    }
    return known.lineBreak;
  };
}

export function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

/** The end of the line that contains `at`, including its `\n`. */
export function lineEnd(text: string, at: number): number {
  const feed = text.indexOf('\n', at);
  return feed < 0 ? text.length : feed + 1;
}

/** True at the start and the end of the text, and right after a line break of any kind. */
export function isLineBoundary(text: string, at: number): boolean {
  if (text[at - 1] === '\r') return text[at] !== '\n';
  return at === 0 || text[at - 1] === '\n' || at >= text.length;
}

/** The lines of a search text, with line breaks `\n` or `\r\n`. */
export function searchLines(text: string): string[] {
  return text.split(/\r?\n/);
}

/** A line of a text with its offsets. */
export interface TextLine {
  readonly start: number;
  /** The start of the line break. */
  readonly end: number;
  readonly next: number;
  readonly text: string;
}

/** The lines of a text one by one; the text after the last line break is a line only if it is not empty. */
export function* textLines(text: string): Generator<TextLine> {
  const lineBreak = lineBreakKind(text) === 'returns' ? '\r' : '\n';
  let start = 0;
  for (let at = text.indexOf(lineBreak); at >= 0; at = text.indexOf(lineBreak, start)) {
    const end = lineBreak === '\n' && at > start && text[at - 1] === '\r' ? at - 1 : at;
    yield { start, end, next: at + 1, text: text.slice(start, end) };
    start = at + 1;
  }
  if (start < text.length) yield { start, end: text.length, next: text.length, text: text.slice(start) };
}
