import type { CallScope } from '../../core/context.js';
import type { Limits } from '../../core/limits.js';
import { looksRandom } from '../../core/text/looks-random.js';
import { besideChars, type Scrub, scrubExcerpt } from '../../core/text/scrub-excerpt.js';
import { linesByFile } from '../../files/mounts/mounted-search.js';
import { cutLine } from '../../files/search/query/output-line.js';
import type { FileLines, FileSystem, GrepQuery, GrepResult } from '../../ports/file-system.js';
import { withheldNotice } from '../../secrets/scrubber.js';
import { linesOfFile } from './read-lines.js';

/** One line of a search result: text of a file, or something else such as a separator. */
type FoundLine =
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
type WholeLines = ReadonlyMap<number, string>;

/** How lines are formatted. */
interface ShownForm {
  readonly scrub: Scrub;
  readonly onlyMatching: boolean;
  readonly lineNumbers: boolean;
  readonly maxLineChars: number;
  /** The length at which a line is cut when it is read. */
  readonly maxChars: number;
}

/** The number of lines to read above and below a line, to see whether the line is part of a private key. */
const linesBeside = 64;

/**
 * Searches for lines. If a result would show only a part of a line, the whole line is read, so that a credential in the
 * line is recognised. If a credential may span several lines, the lines around the found line are read too. All other
 * lines are scrubbed later, with the rest of the result.
 */
export async function grepWhole(
  { files, limits }: { readonly files: FileSystem; readonly limits: Limits['grep'] },
  scrub: Scrub,
  query: GrepQuery,
  scope: CallScope,
): Promise<{ readonly found: GrepResult; readonly lines: readonly string[] }> {
  // The line numbers are needed to find the whole line of each result.
  const numbered = { ...query, lineNumbers: true };
  const found = await files.grep(numbered, scope);
  const needsMore = (line: string) => isCutLine(line) || mayBeKeyPart(line);
  if (query.lineNumbers && !query.onlyMatching && !found.lines.some(needsMore)) return { found, lines: found.lines };
  const source = { files, path: query.path ?? files.root, relativeTo: query.relativeTo, owns: () => true };
  const groups = await linesByFile(found, source, numbered, scope);
  const maxChars = query.onlyMatching ? limits.maxResultBytes : limits.maxLineChars + besideChars;
  const { onlyMatching, lineNumbers } = query;
  const form: ShownForm = { scrub, onlyMatching, lineNumbers, maxLineChars: limits.maxLineChars, maxChars };
  const lines: string[] = [];
  // Processes one file at a time: parsed lines and their complete lines need much more memory than the result.
  for (const { path, lines: own } of parsedByFile(found.lines, groups)) {
    const numbers = new Set(own.flatMap((line) => numbersFor(line, query)));
    const whole =
      numbers.size === 0 ? new Map<number, string>() : await linesOfFile(files, path, { numbers, maxChars }, scope);
    for (const line of shownLines(own, whole, form)) lines.push(line);
  }
  return { found, lines };
}

const cutNote = / \[cut; \d+ bytes in all\]$/;

function isCutLine(line: string): boolean {
  return line.endsWith(' bytes in all]') && cutNote.test(line);
}

function numbersFor(line: FoundLine, { onlyMatching }: GrepQuery): readonly number[] {
  if (line.kind !== 'line') return [];
  const { number } = line;
  if (mayBeKeyPart(line.text)) return Array.from({ length: 2 * linesBeside + 1 }, (_, at) => number - linesBeside + at);
  return line.note !== '' || onlyMatching ? [number] : [];
}

function mayBeKeyPart(text: string): boolean {
  return text.match(/[^\s"'`,;:=<>(){}[\]]{8,}/g)?.some(looksRandom) === true;
}

/** Parses the output lines in order. Yields the lines of one file at a time, with the separators before these lines. */
function* parsedByFile(
  lines: readonly string[],
  groups: readonly FileLines[],
): Generator<{ readonly path: string; readonly lines: readonly FoundLine[] }> {
  let next = 0;
  for (const { path, lines: own } of groups) {
    const found: FoundLine[] = [];
    for (let taken = 0; taken < own.length && next < lines.length; next++) {
      const line = lines[next] ?? '';
      if (line !== own[taken]) {
        found.push({ kind: 'other', printed: line });
        continue;
      }
      found.push(parseLine(line, path));
      taken++;
    }
    yield { path, lines: found };
  }
  if (next < lines.length)
    yield { path: '', lines: lines.slice(next).map((line) => ({ kind: 'other', printed: line })) };
}

function parseLine(line: string, path: string): FoundLine {
  const parts = line.startsWith(path) ? /^([:-])(\d+)[:-]/.exec(line.slice(path.length, path.length + 24)) : null;
  if (parts?.[1] === undefined) return { kind: 'other', printed: line };
  const text = line.slice(path.length + parts[0].length);
  const note = isCutLine(text) ? (cutNote.exec(text)?.[0] ?? '') : '';
  const mark = parts[1];
  return {
    kind: 'line',
    printed: line,
    path,
    mark,
    number: Number(parts[2]),
    text: text.slice(0, text.length - note.length),
    note,
  };
}

/**
 * Formats the lines that a search found in one file; `whole` contains complete lines of the file. A credential at the
 * cut of a line is hidden completely. With `onlyMatching`, a line that contains a credential is shown once, scrubbed,
 * instead of its matches.
 */
function shownLines(found: readonly FoundLine[], whole: WholeLines, form: ShownForm): string[] {
  const scrubbed = scrubbedLines(whole, form.scrub);
  const shownWhole = new Set<number>();
  return found.flatMap((line) => {
    if (line.kind === 'other') return [line.printed];
    if (!form.onlyMatching) return [printed(line, shownStart(line, whole, scrubbed, form), form)];
    const part = shownMatch(line, whole, scrubbed, form);
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

function shownStart(
  { number, text, note }: TextLine,
  whole: WholeLines,
  scrubbed: WholeLines,
  { scrub }: ShownForm,
): string {
  const line = withMarkOf(whole.get(number), text);
  if (note === '') return line === text ? (scrubbed.get(number) ?? text) : text;
  // The line has changed since the search, so the word at the cut could be the start of a credential.
  if (line?.startsWith(text) !== true) return text.replace(/\S+$/, '[REDACTED]') + note;
  return scrubExcerpt(scrub, { before: '', text, after: line.slice(text.length) }) + note;
}

/** Drops the byte order mark of a line unless the text that the search found also begins with one. */
function withMarkOf(line: string | undefined, text: string): string | undefined {
  return line?.startsWith('\ufeff') === true && !text.startsWith('\ufeff') ? line.slice(1) : line;
}

/** The text to show for a match; undefined if its line contains a credential. */
function shownMatch(
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

/** Scrubs all lines of a file together, since a credential may span several lines. */
function scrubbedLines(whole: WholeLines, scrub: Scrub): WholeLines {
  if (whole.size === 0) return whole;
  // Adds an empty line for each gap, so that no match of the scrubber spans a gap.
  const gaps = [...whole.keys()].filter((number) => !whole.has(number - 1)).map((number) => [number - 1, ''] as const);
  const lines = [...gaps, ...whole].sort(([left], [right]) => left - right);
  const texts = scrub(lines.map(([, text]) => text).join('\n')).split('\n');
  return new Map(texts.length === lines.length ? lines.map(([number], index) => [number, texts[index] ?? '']) : []);
}
