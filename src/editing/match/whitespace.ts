import { decodeText } from '../encodings/encoding.js';
import { type FindOptions, type Span, searchLines } from './exact.js';
import type { YieldToLoop } from './line-counter.js';
import { byteSpans } from './look-alike-match.js';
import { lineBreakKind, type StoredText } from './newlines.js';
import { SequenceFinder } from './sequence-finder.js';
import { contentStart, type TextLine, textLines, trimmed } from './text-lines.js';

/**
 * A place where whole lines match but for white space, and what to do to the indentation of lines that come in their
 * stead.
 */
export interface WhitespaceMatch extends Span {
  indent(line: string): string;
}

const yieldEvery = 256;

/**
 * Where whole lines of the file equal the text's lines but for spaces and tabs at their ends and one indentation added
 * to or taken from all of them.
 */
export async function findByWhitespace(
  stored: StoredText,
  text: string,
  options: FindOptions,
  yieldToLoop: YieldToLoop,
): Promise<WhitespaceMatch[]> {
  const wanted = searchLines(text);
  const takesLastBreak = wanted.length > 1 && wanted.at(-1) === '';
  if (takesLastBreak) wanted.pop();
  if (wanted.every((line) => trimmed(line) === '')) return [];
  const content = decodeText(stored.bytes.subarray(stored.start), stored.encoding);
  const search = new BlockSearch(wanted, takesLastBreak);
  const found: WhitespaceMatch[] = [];
  let round = 0;
  for (const line of textLines(content, lineBreakKind(stored))) {
    if (++round % yieldEvery === 0) await yieldToLoop();
    const match = search.take(line);
    if (match === undefined || (!options.overlapping && match.start < (found.at(-1)?.end ?? 0))) continue;
    found.push(match);
    if (found.length >= options.maxSpans) break;
  }
  return byteSpans(stored, content, found, yieldToLoop);
}

/**
 * Finds a block of lines while it is shown the lines of a file. From the second line with content on, a line is known
 * by its content and by how its indentation differs from that of the line before: that stays the same when all of them
 * move together, so that one linear search finds the whole.
 */
class BlockSearch {
  readonly #first: number;
  readonly #firstLine: string;
  readonly #takesLastBreak: boolean;
  readonly #count: number;
  readonly #known = new Map<string, number>();
  readonly #rest: SequenceFinder;
  readonly #hasRest: boolean;
  // The latest lines, as many as the block has.
  readonly #lines: TextLine[] = [];
  // How many lines without content there were right before each of them.
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

  // Lines that are not wanted are all the same.
  #tokenOf(line: string, before: string, isWanted: boolean): number {
    const content = trimmed(line);
    const key = content === '' ? '' : `${difference(before, leading(line))}\n${content}`;
    const known = this.#known.get(key);
    if (known !== undefined || !isWanted) return known ?? -1;
    this.#known.set(key, this.#known.size);
    return this.#known.size - 1;
  }
}

/** Two indentations without what both begin with. */
function difference(left: string, right: string): string {
  let same = 0;
  while (same < left.length && left[same] === right[same]) same++;
  return `${left.slice(same)}\n${right.slice(same)}`;
}

/**
 * What to do to new lines, where a line that had one indentation has the other in the file; undefined where none ends
 * with the other.
 */
function indentation(had: string, has: string): ((line: string) => string) | undefined {
  const [add, remove] = [
    has.slice(0, Math.max(0, has.length - had.length)),
    had.slice(0, Math.max(0, had.length - has.length)),
  ];
  if (add + had !== remove + has) return undefined;
  return (line) =>
    trimmed(line) === '' ? line : add + (remove !== '' && line.startsWith(remove) ? line.slice(remove.length) : line);
}

function leading(line: string): string {
  return line.slice(0, contentStart(line));
}
