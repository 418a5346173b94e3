import type { LineBreakKind } from './newlines.js';

/** A line of a text and where it stands. */
export interface TextLine {
  readonly start: number;
  /** Where its line break begins. */
  readonly end: number;
  /** Where the next line starts. */
  readonly next: number;
  readonly text: string;
}

/** The lines of a text, one by one; what follows the last line break is one only where it holds something. */
export function* textLines(content: string, kind: LineBreakKind): Generator<TextLine> {
  const lineBreak = kind === 'returns' ? '\r' : '\n';
  let start = 0;
  for (let at = content.indexOf(lineBreak); at >= 0; at = content.indexOf(lineBreak, start)) {
    const end = kind === 'mixed' && at > start && content[at - 1] === '\r' ? at - 1 : at;
    yield { start, end, next: at + 1, text: content.slice(start, end) };
    start = at + 1;
  }
  if (start < content.length) yield { start, end: content.length, next: content.length, text: content.slice(start) };
}

/** The line without the white space at both ends. */
export function trimmed(line: string): string {
  const start = contentStart(line);
  let end = line.length;
  while (end > start && isBlank(line, end - 1)) end--;
  return line.slice(start, end);
}

/** How much white space a line begins with. */
export function contentStart(line: string): number {
  let start = 0;
  while (start < line.length && isBlank(line, start)) start++;
  return start;
}

// What breaks lines or pages, and marks of no width, are content: an edit must not take them away unseen.
const blanks = ' \t\r\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000';

function isBlank(line: string, at: number): boolean {
  return blanks.includes(line.charAt(at));
}
