import { type FindOptions, type Span, searchLines } from './edit-exact.js';
import { byteSpans } from './edit-look-alikes.js';
import { lineBreakPattern, type StoredText } from './edit-newlines.js';
import { decodeText } from './encoding.js';

/** A place where whole lines match but for white space, and what to do to the indentation of lines that come in their stead. */
export interface WhitespaceMatch extends Span {
  indent(line: string): string;
}

interface Line {
  readonly start: number;
  readonly end: number;
  /** Where the next line starts. */
  readonly next: number;
  readonly text: string;
}

/** Where whole lines of the file equal the text's lines but for spaces and tabs at their ends and one indentation added to or taken from all of them. */
export function findByWhitespace(stored: StoredText, text: string, { overlapping, maxSpans }: FindOptions): WhitespaceMatch[] {
  const wanted = searchLines(text);
  const takesLastBreak = wanted.length > 1 && wanted.at(-1) === '';
  if (takesLastBreak) wanted.pop();
  const first = wanted.findIndex((line) => trimmed(line) !== '');
  if (first < 0) return [];
  const content = decodeText(stored.bytes.subarray(stored.start), stored.encoding);
  const lines = linesOf(content, lineBreakPattern(stored));
  const found: { readonly range: Span; readonly indent: (line: string) => string }[] = [];
  const anchor = trimmed(wanted[first] ?? '');
  for (let at = 0; at + wanted.length <= lines.length && found.length < maxSpans; at++) {
    if (trimmed(lines[at + first]?.text ?? '') !== anchor) continue;
    const block = lines.slice(at, at + wanted.length);
    const indent = indentation(wanted, block);
    const last = block.at(-1);
    if (indent === undefined || last === undefined || (takesLastBreak && last.next === last.end)) continue;
    found.push({ range: { start: block[0]?.start ?? 0, end: takesLastBreak ? last.next : last.end }, indent });
    if (!overlapping) at += wanted.length - 1;
  }
  const spans = byteSpans(
    stored,
    content,
    found.map(({ range }) => range),
  );
  return spans.map((span, index) => ({ ...span, indent: found[index]?.indent ?? ((line) => line) }));
}

function linesOf(content: string, breakSource: string): Line[] {
  const lines: Line[] = [];
  const pattern = new RegExp(breakSource, 'g');
  let start = 0;
  for (let match = pattern.exec(content); match !== null; match = pattern.exec(content)) {
    lines.push({ start, end: match.index, next: pattern.lastIndex, text: content.slice(start, match.index) });
    start = pattern.lastIndex;
  }
  if (start < content.length) lines.push({ start, end: content.length, next: content.length, text: content.slice(start) });
  return lines;
}

/** The change of indentation that makes all wanted lines the block's, or undefined when there is none. */
function indentation(wanted: readonly string[], block: readonly Line[]): ((line: string) => string) | undefined {
  let change: { readonly add: string; readonly remove: string } | undefined;
  for (const [index, line] of wanted.entries()) {
    const text = block[index]?.text ?? '';
    if (trimmed(line) !== trimmed(text)) return undefined;
    if (trimmed(line) === '') continue;
    const had = leading(line);
    const has = leading(text);
    const step = has.endsWith(had) ? { add: has.slice(0, has.length - had.length), remove: '' } : removal(had, has);
    if (step === undefined || (change !== undefined && (step.add !== change.add || step.remove !== change.remove))) return undefined;
    change = step;
  }
  const { add, remove } = change ?? { add: '', remove: '' };
  return (line) => (trimmed(line) === '' ? line : add + (remove !== '' && line.startsWith(remove) ? line.slice(remove.length) : line));
}

function removal(had: string, has: string): { add: string; remove: string } | undefined {
  return had.endsWith(has) ? { add: '', remove: had.slice(0, had.length - has.length) } : undefined;
}

function leading(line: string): string {
  return line.slice(0, contentStart(line));
}

function trimmed(line: string): string {
  const start = contentStart(line);
  let end = line.length;
  while (end > start && isBlank(line, end - 1)) end--;
  return line.slice(start, end);
}

function contentStart(line: string): number {
  let start = 0;
  while (start < line.length && isBlank(line, start)) start++;
  return start;
}

// What breaks lines or pages, and marks of no width, are content: an edit must not take them away unseen.
const blanks = ' \t\r\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000';

function isBlank(line: string, at: number): boolean {
  return blanks.includes(line.charAt(at));
}
