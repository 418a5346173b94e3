import { type Scrub, scrubExcerpt } from '../../core/text/scrub-excerpt.js';
import { cutLine } from '../../files/search/query/output-line.js';
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
      /** The note that the text is cut; empty for uncut text. */
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

/**
 * Formats the lines that a search found in one file; `whole` holds the complete lines of the file. If a cut line holds
 * a credential at the cut, no part of the credential is shown. With `onlyMatching`, a line that holds a credential is
 * shown once, scrubbed, instead of its matches.
 */
export function shownLines(found: readonly FoundLine[], whole: WholeLines, form: ShownForm): string[] {
  const scrubbed = scrubbedLines(whole, form.scrub);
  const shownWhole = new Set<number>();
  return found.flatMap((line) => {
    if (line.kind === 'other') return [line.printed];
    if (!form.onlyMatching) return [printed(line, shownHead(line, whole, scrubbed, form), form)];
    const part = shownPart(line, whole, scrubbed, form);
    if (part !== undefined) return [printed(line, part, form)];
    if (shownWhole.has(line.number)) return [];
    shownWhole.add(line.number);
    const text = scrubbed.get(line.number) ?? '';
    return [
      printed(
        line,
        cutLine(text, () => Buffer.byteLength(text), form.maxLineChars),
        form,
      ),
    ];
  });
}

function printed(line: TextLine, text: string, { lineNumbers }: ShownForm): string {
  if (lineNumbers && text === line.text && line.note === '') return line.printed;
  // `join` makes one flat string. A template string would keep the whole source line of its parts in memory.
  return [line.path, line.mark, ...(lineNumbers ? [line.number, line.mark] : []), text].join('');
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
  if (line?.startsWith(text) !== true) return text.replace(/\S+$/, '[REDACTED]') + note;
  return scrubExcerpt(scrub, { before: '', text, after: line.slice(text.length) }) + note;
}

/** The line without its byte order mark, if `text` (found by a search) begins without a byte order mark. */
function likeIn(line: string | undefined, text: string): string | undefined {
  return line?.startsWith('\ufeff') === true && !text.startsWith('\ufeff') ? line.slice(1) : line;
}

/** The text to show for a match; undefined if its line holds a credential. */
function shownPart(
  { number, text, note }: TextLine,
  whole: WholeLines,
  scrubbed: WholeLines,
  { maxChars }: ShownForm,
): string | undefined {
  const line = whole.get(number);
  if (line === undefined || !scrubbed.has(number) || line.length >= maxChars || !line.includes(text))
    return withheldNotice;
  return scrubbed.get(number) === line ? text + note : undefined;
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
