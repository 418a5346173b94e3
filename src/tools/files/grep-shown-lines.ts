import { type Scrub, scrubPart } from '../../core/text/scrub-part.js';
import { withheldNotice } from '../../secrets/scrubber.js';

/** One line of a search result: text of a file, or something else such as a separator. */
export type FoundLine =
  | { readonly kind: 'other'; readonly printed: string }
  | {
      readonly kind: 'line';
      readonly printed: string;
      readonly path: string;
      /** `:` for a match, `-` for context. */
      readonly mark: string;
      readonly number: number;
      readonly text: string;
      /** The note that the text is cut; empty if it is not. */
      readonly note: string;
    };

type TextLine = Extract<FoundLine, { readonly kind: 'line' }>;

/** Lines of one file by their number. */
export type WholeLines = ReadonlyMap<number, string>;

/** How lines are formatted. */
export interface ShownForm {
  readonly scrub: Scrub;
  readonly onlyMatching: boolean;
  readonly lineNumbers: boolean;
  readonly maxLineChars: number;
  /** A line of this length was not read to its end. */
  readonly maxChars: number;
}

/** The maximum number of characters to search for the matches of long lines. */
const maxLookedThrough = 500_000_000;
const plainMark = '[REDACTED]';
const anyMark = /\[REDACTED[^\]\n]*\]/;

/**
 * Formats the lines that a search found. If a cut line holds a credential at the cut, no part of the credential is
 * shown. With `onlyMatching`, a line that holds a credential is shown once, scrubbed, instead of its matches; if the
 * line is too long for that, only matches that overlap no credential are shown.
 */
export class ShownLines {
  readonly #form: ShownForm;
  readonly #budget = { lookedThrough: 0 };

  constructor(form: ShownForm) {
    this.#form = form;
  }

  /** The formatted lines of one file. `whole` holds its complete lines. */
  of(found: readonly FoundLine[], whole: WholeLines): string[] {
    const { onlyMatching } = this.#form;
    const parts = onlyMatching ? new MatchingParts(whole, this.#form, this.#budget) : undefined;
    const scrubbed = parts === undefined ? scrubbedLines(whole, this.#form.scrub) : whole;
    return found.flatMap((line) => {
      if (line.kind === 'other') return [line.printed];
      const text = parts === undefined ? shownHead(line, whole, scrubbed, this.#form) : parts.shown(line);
      return text === undefined ? [] : [this.#printed(line, text)];
    });
  }

  #printed(line: TextLine, text: string): string {
    const { lineNumbers } = this.#form;
    if (lineNumbers && text === line.text && line.note === '') return line.printed;
    // `join` makes one flat string; a template string would keep the whole line in memory that its parts were cut from.
    return [line.path, line.mark, ...(lineNumbers ? [line.number, line.mark] : []), text].join('');
  }
}

function shownHead(
  { number, text, note }: TextLine,
  whole: WholeLines,
  scrubbed: WholeLines,
  { scrub }: ShownForm,
): string {
  const line = likeIn(whole.get(number), text);
  if (note === '') return line === text ? (scrubbed.get(number) ?? text) : text;
  // The line has changed since the search, so the word at the cut could be the start of a credential.
  if (line?.startsWith(text) !== true) return text.replace(/\S+$/, plainMark) + note;
  return scrubPart(scrub, { before: '', text, after: line.slice(text.length) }) + note;
}

/** The line without a byte order mark if `text`, from a search, has none. */
function likeIn(line: string | undefined, text: string): string | undefined {
  return line?.startsWith('\ufeff') === true && !text.startsWith('\ufeff') ? line.slice(1) : line;
}

/** Shows the matches in one file, except those that are part of a credential. */
class MatchingParts {
  readonly #whole: WholeLines;
  readonly #form: ShownForm;
  readonly #scrubbed: WholeLines;
  readonly #budget: { lookedThrough: number };
  readonly #done = new Set<number>();
  readonly #isSafe = new Map<string, boolean>();

  constructor(whole: WholeLines, form: ShownForm, budget: { lookedThrough: number }) {
    this.#whole = whole;
    this.#form = form;
    this.#scrubbed = scrubbedLines(whole, form.scrub);
    this.#budget = budget;
  }

  /** The text to show for a match; undefined if its line is shown already. */
  shown({ number, text, note }: TextLine): string | undefined {
    const line = this.#whole.get(number);
    const scrubbed = this.#scrubbed.get(number);
    if (line === undefined || scrubbed === undefined || line.length >= this.#form.maxChars || !line.includes(text))
      return withheldNotice;
    if (scrubbed === line) return text + note;
    if (line.length > this.#form.maxLineChars)
      return this.#isApart(text, number, line, scrubbed) ? text + note : plainMark;
    if (this.#done.has(number)) return undefined;
    this.#done.add(number);
    return scrubbed;
  }

  /** Whether scrubbing leaves every occurrence of the text unchanged. */
  #isApart(text: string, number: number, line: string, scrubbed: string): boolean {
    const key = `${number}:${text}`;
    const known = this.#isSafe.get(key);
    if (known !== undefined) return known;
    this.#budget.lookedThrough += line.length;
    const apart =
      this.#budget.lookedThrough <= maxLookedThrough &&
      countOf(line, text) === scrubbed.split(anyMark).reduce((sum, each) => sum + countOf(each, text), 0);
    this.#isSafe.set(key, apart);
    return apart;
  }
}

/** Scrubs all lines of a file together, since a credential may span several. */
function scrubbedLines(whole: WholeLines, scrub: Scrub): WholeLines {
  if (whole.size === 0) return whole;
  // Adds an empty line for each gap, so that no credential spans it.
  const gaps = [...whole.keys()].filter((number) => !whole.has(number - 1)).map((number) => [number - 1, ''] as const);
  const lines = [...gaps, ...whole].sort(([left], [right]) => left - right);
  const texts = scrub(lines.map(([, text]) => text).join('\n')).split('\n');
  return new Map(texts.length === lines.length ? lines.map(([number], index) => [number, texts[index] ?? '']) : []);
}

/** The number of occurrences of `text`, overlapping ones included. */
function countOf(whole: string, text: string): number {
  if (text === '') return 0;
  let count = 0;
  for (let at = whole.indexOf(text); at >= 0; at = whole.indexOf(text, at + 1)) count++;
  return count;
}
