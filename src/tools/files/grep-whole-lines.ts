import type { CallScope } from '../../core/context.js';
import { looksRandom } from '../../core/text/randomness.js';
import { besideChars, type Scrub } from '../../core/text/scrub-excerpt.js';
import { linesByFile } from '../../files/mounts/mounted-search.js';
import type { FileLines, GrepQuery, GrepResult } from '../../ports/file-system.js';
import type { GrepDependencies } from './grep.js';
import { type FoundLine, type ShownForm, shownLines } from './grep-shown-lines.js';
import { linesOfFile } from './lines-of-file.js';

/** The number of lines above and below a line that decide whether it is part of a private key. */
const linesBeside = 64;

/**
 * Searches for lines. If a result would show only a part of a line, the whole line is read, so that a credential in the
 * line is recognised. If a credential may span several lines, the lines around the found line are read too. All other
 * lines are scrubbed later, with the rest of the result.
 */
export async function grepWhole(
  { files, limits }: GrepDependencies,
  scrub: Scrub,
  query: GrepQuery,
  scope: CallScope,
): Promise<{ readonly found: GrepResult; readonly lines: readonly string[] }> {
  // The line numbers assign each part to its line.
  const numbered = { ...query, lineNumbers: true };
  const found = await files.grep(numbered, scope);
  const needsMore = (line: string) => isCutLine(line) || mayBePart(line);
  if (query.lineNumbers && !query.onlyMatching && !found.lines.some(needsMore)) return { found, lines: found.lines };
  const source = { files, path: query.path ?? files.root, relativeTo: query.relativeTo, owns: () => true };
  const groups = await linesByFile(found, source, numbered, scope);
  const maxChars = query.onlyMatching ? limits.maxResultBytes : limits.maxLineChars + besideChars;
  const { onlyMatching, lineNumbers } = query;
  const form: ShownForm = { scrub, onlyMatching, lineNumbers, maxLineChars: limits.maxLineChars, maxChars };
  const lines: string[] = [];
  // Processes one file at a time: parsed lines and their complete lines need much more memory than the result.
  for (const { path, lines: own } of linesFound(found.lines, groups)) {
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
  if (mayBePart(line.text)) return Array.from({ length: 2 * linesBeside + 1 }, (_, at) => number - linesBeside + at);
  return line.note !== '' || onlyMatching ? [number] : [];
}

function mayBePart(text: string): boolean {
  return text.match(/[^\s"'`,;:=<>(){}[\]]{8,}/g)?.some(looksRandom) === true;
}

/** Parses the output lines in order. Yields the lines of one file at a time, with the separators before these lines. */
function* linesFound(
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
      found.push(takeApart(line, path));
      taken++;
    }
    yield { path, lines: found };
  }
  if (next < lines.length)
    yield { path: '', lines: lines.slice(next).map((line) => ({ kind: 'other', printed: line })) };
}

function takeApart(line: string, path: string): FoundLine {
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
