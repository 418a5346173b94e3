import type { FileText } from './file-text.js';
import type { FindOptions, Span, YieldToLoop } from './find-text.js';
import { searchLines, type TextLine, textLines } from './line-breaks.js';
import { SequenceFinder } from './sequence-finder.js';

/** A place where whole lines match except for white space. */
export interface WhitespaceMatch extends Span {
  /** Adapts the indentation of a new line to the lines of this place. */
  indent(line: string): string;
}

const yieldEvery = 256;

/**
 * The places where whole lines of the file equal the lines of the text, except for white space. Trailing spaces and
 * tabs may differ. The lines of the file may all have the same additional or missing indentation.
 */
export async function findByWhitespace(
  { units }: FileText,
  text: string,
  { overlapping, maxSpans, from = 0 }: FindOptions,
  yieldToLoop: YieldToLoop,
): Promise<WhitespaceMatch[]> {
  const wanted = searchLines(text);
  const takesLastBreak = wanted.length > 1 && wanted.at(-1) === '';
  if (takesLastBreak) wanted.pop();
  if (wanted.every((line) => trimmed(line) === '')) return [];
  const search = new BlockSearch(wanted, takesLastBreak);
  const found: WhitespaceMatch[] = [];
  let round = 0;
  for (const line of textLines(units)) {
    if (++round % yieldEvery === 0) await yieldToLoop();
    if (line.start < from) continue;
    const match = search.take(line);
    if (match === undefined || (!overlapping && match.start < (found.at(-1)?.end ?? 0))) continue;
    found.push(match);
    if (found.length >= maxSpans) break;
  }
  return found;
}

/**
 * Finds a block of lines in one pass over the lines of a file. Each line after the first non-blank line is compared by
 * its content and by the difference between its indentation and the indentation of the previous line. The differences
 * stay the same if the whole block is indented further, so one sequence search finds the block.
 */
class BlockSearch {
  readonly #first: number;
  readonly #firstLine: string;
  readonly #takesLastBreak: boolean;
  readonly #count: number;
  readonly #known = new Map<string, number>();
  readonly #rest: SequenceFinder;
  readonly #hasRest: boolean;
  // A ring buffer of the latest lines, as many as the block has.
  readonly #lines: TextLine[] = [];
  // The number of blank lines right before each of these lines.
  readonly #blanks: number[] = [];
  #at = 0;
  #blank = 0;
  #indentation: string | undefined;

  constructor(wanted: readonly string[], takesLastBreak: boolean) {
    this.#first = wanted.findIndex((line) => trimmed(line) !== '');
    this.#firstLine = wanted[this.#first] ?? '';
    this.#takesLastBreak = takesLastBreak;
    this.#count = wanted.length;
    let indentation = leading(this.#firstLine);
    const rest = wanted.slice(this.#first + 1).map((line) => {
      const token = this.#tokenOf(line, indentation, true);
      if (trimmed(line) !== '') indentation = leading(line);
      return token;
    });
    this.#hasRest = rest.length > 0;
    this.#rest = new SequenceFinder(rest);
  }

  take(line: TextLine): WhitespaceMatch | undefined {
    const content = trimmed(line.text);
    const slot = this.#at++ % this.#count;
    this.#lines[slot] = line;
    this.#blanks[slot] = this.#blank;
    const isFound = !this.#hasRest || this.#rest.push(this.#tokenOf(line.text, this.#indentation ?? '', false));
    this.#blank = content === '' ? this.#blank + 1 : 0;
    if (content !== '') this.#indentation = leading(line.text);
    return isFound && this.#at >= this.#count ? this.#matchEndingWith(line) : undefined;
  }

  #matchEndingWith(last: TextLine): WhitespaceMatch | undefined {
    const start = this.#lines[this.#at % this.#count];
    const slot = (this.#at + this.#first) % this.#count;
    const anchor = this.#lines[slot];
    if (start === undefined || anchor === undefined || trimmed(anchor.text) !== trimmed(this.#firstLine))
      return undefined;
    if ((this.#blanks[slot] ?? 0) < this.#first || (this.#takesLastBreak && last.next === last.end)) return undefined;
    const indent = indentation(leading(this.#firstLine), leading(anchor.text));
    return indent && { start: start.start, end: this.#takesLastBreak ? last.next : last.end, indent };
  }

  // All lines that are not in the search text have the token -1.
  #tokenOf(line: string, before: string, isWanted: boolean): number {
    const content = trimmed(line);
    const key = content === '' ? '' : `${difference(before, leading(line))}\n${content}`;
    const known = this.#known.get(key);
    if (known !== undefined || !isWanted) return known ?? -1;
    this.#known.set(key, this.#known.size);
    return this.#known.size - 1;
  }
}

function difference(left: string, right: string): string {
  let same = 0;
  while (same < left.length && left[same] === right[same]) same++;
  return `${left.slice(same)}\n${right.slice(same)}`;
}

/**
 * Returns a function that adapts the indentation of new lines. `sought` is the indentation of a line in the search
 * text, and `found` the indentation of the same line in the file. Undefined if neither indentation ends with the other.
 */
function indentation(sought: string, found: string): ((line: string) => string) | undefined {
  const [add, remove] = [
    found.slice(0, Math.max(0, found.length - sought.length)),
    sought.slice(0, Math.max(0, sought.length - found.length)),
  ];
  if (add + sought !== remove + found) return undefined;
  return (line) =>
    trimmed(line) === '' ? line : add + (remove !== '' && line.startsWith(remove) ? line.slice(remove.length) : line);
}

function leading(line: string): string {
  return line.slice(0, contentStart(line));
}

/** The line without the white space at both ends. */
export function trimmed(line: string): string {
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

// Form feeds, vertical tabs and characters without width are content: an edit must not remove them silently.
const blanks = ' \t\r\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000';

function isBlank(line: string, at: number): boolean {
  return blanks.includes(line.charAt(at));
}
