import { withheldNotice } from '../text/scrub-guard.js';
import { type Scrub, scrubPart } from '../text/scrub-part.js';

/** A line of the output of a search: text of a file, or something else such as a separator. */
export type FoundLine =
  | { readonly kind: 'other'; readonly text: string }
  | {
      readonly kind: 'line';
      readonly path: string;
      /** `:` of a match, `-` of context. */
      readonly mark: string;
      readonly number: number;
      readonly text: string;
      /** What says that the text is cut; empty where it is not. */
      readonly note: string;
    };

type TextLine = Extract<FoundLine, { readonly kind: 'line' }>;

/** The lines behind the output, by path and number. */
export type WholeLines = ReadonlyMap<string, ReadonlyMap<number, string>>;

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
 * The lines to show. Without `onlyMatching` text that is cut shows nothing of a credential that the cut went through. With it a line that holds a credential
 * is shown once, scrubbed, in place of its matches; a line too long for that shows each match that touches no credential.
 */
export function shownLines(found: readonly FoundLine[], whole: WholeLines, form: ShownForm): string[] {
  const print = (line: TextLine, text: string) =>
    form.lineNumbers ? `${line.path}${line.mark}${line.number}${line.mark}${text}` : `${line.path}${line.mark}${text}`;
  const parts = form.onlyMatching ? new MatchingParts(whole, form) : undefined;
  return found.flatMap((line) => {
    if (line.kind === 'other') return [line.text];
    const text = parts === undefined ? shownHead(line, whole, form) : parts.shown(line);
    return text === undefined ? [] : [print(line, text)];
  });
}

function shownHead({ path, number, text, note }: TextLine, whole: WholeLines, { scrub }: ShownForm): string {
  if (note === '') return text;
  const line = likeIn(whole.get(path)?.get(number), text);
  // Of a line that has changed since, the word at the cut may be the beginning of anything.
  if (line?.startsWith(text) !== true) return text.replace(/\S+$/, plainMark) + note;
  return scrubPart(scrub, { before: '', text, after: line.slice(text.length) }) + note;
}

/** A search leaves the byte order mark out. */
function likeIn(line: string | undefined, text: string): string | undefined {
  return line?.startsWith('\ufeff') === true && !text.startsWith('\ufeff') ? line.slice(1) : line;
}

/** Shows matches, but none that is a part of a credential. */
class MatchingParts {
  readonly #whole: WholeLines;
  readonly #form: ShownForm;
  readonly #scrubbed = new Map<string, ReadonlyMap<number, string>>();
  readonly #done = new Set<string>();
  readonly #isSafe = new Map<string, boolean>();
  #lookedThrough = 0;

  constructor(whole: WholeLines, form: ShownForm) {
    this.#whole = whole;
    this.#form = form;
  }

  /** What to show for a match, or undefined where its line is shown already. */
  shown({ path, number, text, note }: TextLine): string | undefined {
    const line = this.#whole.get(path)?.get(number);
    const scrubbed = this.#scrubbedOf(path).get(number);
    if (line === undefined || scrubbed === undefined || line.length >= this.#form.maxChars || !line.includes(text)) return withheldNotice;
    if (scrubbed === line) return text + note;
    const name = `${number}:${path}`;
    if (line.length > this.#form.maxLineChars) return this.#isApart(text, name, line, scrubbed) ? text + note : plainMark;
    if (this.#done.has(name)) return undefined;
    this.#done.add(name);
    return scrubbed;
  }

  /** All lines of a file together, since a credential may have several. */
  #scrubbedOf(path: string): ReadonlyMap<number, string> {
    const known = this.#scrubbed.get(path);
    if (known !== undefined) return known;
    const lines = [...(this.#whole.get(path) ?? [])].sort(([left], [right]) => left - right);
    const texts = this.#form.scrub(lines.map(([, text]) => text).join('\n')).split('\n');
    const made = new Map(texts.length === lines.length ? lines.map(([number], index) => [number, texts[index] ?? '']) : []);
    this.#scrubbed.set(path, made);
    return made;
  }

  /** Whether scrubbing leaves every place where the text stands. */
  #isApart(text: string, name: string, line: string, scrubbed: string): boolean {
    const key = `${name}\n${text}`;
    const known = this.#isSafe.get(key);
    if (known !== undefined) return known;
    this.#lookedThrough += line.length;
    const apart =
      this.#lookedThrough <= maxLookedThrough &&
      countOf(line, text) === scrubbed.split(anyMark).reduce((sum, each) => sum + countOf(each, text), 0);
    this.#isSafe.set(key, apart);
    return apart;
  }
}

/** How often the text stands in another, overlapping places included. */
function countOf(whole: string, text: string): number {
  if (text === '') return 0;
  let count = 0;
  for (let at = whole.indexOf(text); at >= 0; at = whole.indexOf(text, at + 1)) count++;
  return count;
}
