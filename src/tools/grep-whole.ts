import type { CallScope } from '../core/context.js';
import type { Limits } from '../core/limits.js';
import { linesOfFile } from '../files/lines-of-file.js';
import { linesByFile } from '../files/mounted-search.js';
import type { FileSystem, GrepQuery, GrepResult } from '../host/file-system.js';
import { besideChars, type Scrub } from '../text/scrub-part.js';
import { type FoundLine, shownLines } from './grep-shown-lines.js';

/** What a search needs that shows no part of a credential. */
export interface GrepWholeOptions {
  readonly files: FileSystem;
  readonly limits: Limits['grep'];
  readonly scrub: Scrub;
}

/** A search for lines, and what is shown of them. */
export interface WholeGrep {
  readonly found: GrepResult;
  readonly lines: readonly string[];
}

/**
 * Searches for lines. Where only a part of a line would be shown, the whole line is read, and no part of a credential in it is shown.
 * All other lines are left to whom they are shown to.
 */
export async function grepWhole(options: GrepWholeOptions, query: GrepQuery, scope: CallScope): Promise<WholeGrep> {
  const { files, limits, scrub } = options;
  // The numbers tell which line of the file a part is of.
  const numbered = { ...query, lineNumbers: true };
  const found = await files.grep(numbered, scope);
  if (query.lineNumbers && !query.onlyMatching && !found.lines.some(isCutLine)) return { found, lines: found.lines };
  const source = { files, path: query.path ?? files.root, relativeTo: query.relativeTo, owns: () => true };
  const groups = await linesByFile(found, source, numbered, scope);
  const read = linesFound(found.lines, groups);
  const wanted = new Map<string, Set<number>>();
  for (const line of read)
    if (line.kind === 'line' && isPart(line, query)) wanted.set(line.path, (wanted.get(line.path) ?? new Set()).add(line.number));
  const maxChars = query.onlyMatching ? limits.maxResultBytes : limits.maxLineChars + besideChars;
  const whole = new Map<string, ReadonlyMap<number, string>>();
  for (const [path, numbers] of wanted) whole.set(path, await linesOfFile(files, path, { numbers, maxChars }, scope));
  const { onlyMatching, lineNumbers } = query;
  return { found, lines: shownLines(read, whole, { scrub, onlyMatching, lineNumbers, maxLineChars: limits.maxLineChars, maxChars }) };
}

const cutNote = / \[cut; \d+ bytes in all\]$/;

function isCutLine(line: string): boolean {
  return line.endsWith(' bytes in all]') && cutNote.test(line);
}

function isPart(line: FoundLine, { onlyMatching }: GrepQuery): boolean {
  return line.kind === 'line' && (line.note !== '' || onlyMatching);
}

/** The output lines in their order, taken apart. */
function linesFound(
  lines: readonly string[],
  groups: readonly { readonly path: string; readonly lines: readonly string[] }[],
): FoundLine[] {
  const owners = groups.flatMap(({ path, lines: own }) => own.map((line) => ({ path, line })));
  let next = 0;
  return lines.map((line) => {
    const owner = owners[next];
    if (owner?.line !== line) return { kind: 'other', text: line };
    next++;
    return takeApart(line, owner.path);
  });
}

function takeApart(line: string, path: string): FoundLine {
  const parts = line.startsWith(path) ? /^([:-])(\d+)[:-]/.exec(line.slice(path.length, path.length + 24)) : null;
  if (parts?.[1] === undefined) return { kind: 'other', text: line };
  const text = line.slice(path.length + parts[0].length);
  const note = isCutLine(text) ? (cutNote.exec(text)?.[0] ?? '') : '';
  return { kind: 'line', path, mark: parts[1], number: Number(parts[2]), text: text.slice(0, text.length - note.length), note };
}
