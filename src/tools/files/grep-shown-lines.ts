import { withheldNotice } from '../../secrets/scrub-guard.js';
import { type Scrub, scrubPart } from '../../secrets/scrub-text-part.js';

/** A line of the output of a search, as it was printed: text of a file, or something else such as a separator. */
export type FoundLine =
  | { readonly kind: 'other'; readonly printed: string }
  | {
      readonly kind: 'line';
      readonly printed: string;
      readonly path: string;
      /** `:` of a match, `-` of context. */
      readonly mark: string;
      readonly number: number;
      readonly text: string;
      /** What says that the text is cut; empty where it is not. */
      readonly note: string;
    };

type TextLine = Extract<FoundLine, { readonly kind: 'line' }>;

/** Lines of one file by their number. */
export type WholeLines = ReadonlyMap<number, string>;

/** How lines are shown. */
export interface ShownForm {
  readonly scrub: Scrub;
  readonly onlyMatching: boolean;
  readonly lineNumbers: boolean;
  readonly maxLineChars: number;
  /** A line that is as long was not read to its end. */
  readonly maxChars: number;
}

/** Characters that may be looked through for parts of long lines. */
const maxLookedThrough = 500_000_000;
const plainMark = '[REDACTED]';
const anyMark = /\[REDACTED[^\]\n]*\]/;

/**
 * Lines as they are shown. Without `onlyMatching` text that is cut shows nothing of a credential that the cut went
 * through. With it a line that holds a credential is shown once, scrubbed, in place of its matches; a line too long for
 * that shows each match that touches no credential.
 */
export class ShownLines {
  readonly #form: ShownForm;
  readonly #budget = { lookedThrough: 0 };

  constructor(form: ShownForm) {
    this.#form = form;
  }

  /** What to show of the lines found in one file, with the whole ones behind them. */
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
    // A joined list is one flat text; a template would keep the line that its parts were cut from.
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
  // Of a line that has changed since, the word at the cut may be the beginning of anything.
  if (line?.startsWith(text) !== true) return text.replace(/\S+$/, plainMark) + note;
  return scrubPart(scrub, { before: '', text, after: line.slice(text.length) }) + note;
}

/** A search leaves the byte order mark out. */
function likeIn(line: string | undefined, text: string): string | undefined {
  return line?.startsWith('\ufeff') === true && !text.startsWith('\ufeff') ? line.slice(1) : line;
}

/** Shows matches in one file, but none that is a part of a credential. */
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

  /** What to show for a match, or undefined where its line is shown already. */
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

  /** Whether scrubbing leaves every place where the text stands. */
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

/** All lines of a file together, since a credential may have several. */
function scrubbedLines(whole: WholeLines, scrub: Scrub): WholeLines {
  if (whole.size === 0) return whole;
  // A gap is no part of anything.
  const gaps = [...whole.keys()].filter((number) => !whole.has(number - 1)).map((number) => [number - 1, ''] as const);
  const lines = [...gaps, ...whole].sort(([left], [right]) => left - right);
  const texts = scrub(lines.map(([, text]) => text).join('\n')).split('\n');
  return new Map(texts.length === lines.length ? lines.map(([number], index) => [number, texts[index] ?? '']) : []);
}

/** How often the text stands in another, overlapping places included. */
function countOf(whole: string, text: string): number {
  if (text === '') return 0;
  let count = 0;
  for (let at = whole.indexOf(text); at >= 0; at = whole.indexOf(text, at + 1)) count++;
  return count;
}
