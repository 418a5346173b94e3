import { ToolError } from '../../core/error.js';

/** One place of a file and its change. All lines are without their breaks. */
export interface PatchHunk {
  /** Lines above the place, the outermost first; the hunk applies at the first match after these lines. */
  readonly anchors: readonly string[];
  /** The old lines, with context; empty if the hunk only inserts lines. */
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
  /** The line number after which lines are inserted, 0 for the start; undefined if the header has none. */
  readonly afterLine: number | undefined;
  readonly isAtEnd: boolean;
}

/** The change of one file by a patch. Paths are as they were written. */
export type FilePatch =
  | { readonly kind: 'add'; readonly path: string; readonly content: string }
  | { readonly kind: 'delete'; readonly path: string }
  | {
      readonly kind: 'update';
      readonly path: string;
      readonly moveTo: string | undefined;
      readonly hunks: readonly PatchHunk[];
    };

const fileHeader = /^\*\*\* (Add|Update|Delete) File:\s+(\S(?:.*\S)?)\s*$/;
const moveHeader = /^\s*\*\*\* Move to:\s+(\S(?:.*\S)?)\s*$/;
const endOfFile = '*** End of File';
// Models get the line numbers of a unified diff wrong, so the numbers are only used for a hunk that only inserts lines.
const numbered = /^-(\d+)(?:,(\d+))? \+\d+(?:,\d+)?(?: @@)?/;
const form =
  'Begin with *** Begin Patch, end with *** End Patch, and say for each file *** Add File:, *** Update File: or ' +
  '*** Delete File: with its path.';

/** The files that a patch names, including the targets of moves. `isNew`: whether the patch creates the file. */
export function patchPaths(patch: readonly FilePatch[]) {
  return patch.flatMap((file) => [
    { path: file.path, isNew: file.kind === 'add' },
    ...(file.kind === 'update' && file.moveTo !== undefined ? [{ path: file.moveTo, isNew: true }] : []),
  ]);
}

/** Parses a patch. Throws `invalid_input` for a wrong line, with its number, and for a file that is named twice. */
export function parsePatch(text: string): readonly FilePatch[] {
  const nextFile = patchReader(text);
  const files: FilePatch[] = [];
  for (let file = nextFile(); file !== undefined; file = nextFile()) files.push(file);
  if (files.length === 0) throw new ToolError('invalid_input', `The patch names no file. ${form}`);
  const paths = patchPaths(files).map(({ path }) => path);
  const twice = paths.find((path, index) => paths.indexOf(path) !== index);
  if (twice !== undefined) throw namedTwice(twice);
  return files;
}

/** The error for a file that two parts of a patch change. */
export function namedTwice(path: string): ToolError {
  return new ToolError(
    'invalid_input',
    `The patch names ${path} twice. Put all its hunks below one *** Update File line, or send two patches.`,
  );
}

function patchReader(text: string) {
  const linesBefore = text.slice(0, text.length - text.trimStart().length).split('\n').length - 1;
  const lines = text.trim().split(/\r\n|\n/);
  if (lines.shift()?.trim() !== '*** Begin Patch' || lines.pop()?.trim() !== '*** End Patch')
    throw new ToolError('invalid_input', `This is not a patch. ${form}`);
  let at = 0;

  function nextFile(): FilePatch | undefined {
    while (peek()?.trim() === '') at++;
    const line = lines[at++];
    if (line === undefined) return undefined;
    const [, kind, path = ''] = fileHeader.exec(line.trimStart()) ?? [];
    if (kind === 'Add') return { kind: 'add', path, content: newContent() };
    if (kind === 'Delete') return { kind: 'delete', path };
    if (kind !== 'Update') throw wrong(`expected the header of a file. ${form}`);
    skipBlank();
    const moveTo = moveHeader.exec(peek() ?? '')?.[1];
    if (moveTo !== undefined) at++;
    const hunks: PatchHunk[] = [];
    for (let hunk = nextHunk(); hunk !== undefined; hunk = nextHunk()) hunks.push(hunk);
    if (hunks.length === 0 && moveTo === undefined)
      throw wrong(`no change of ${path} follows. Write @@, then its lines with a space, - or + in front.`);
    return { kind: 'update', path, moveTo, hunks };
  }

  function newContent(): string {
    let content = '';
    for (let line = peek(); line?.startsWith('+'); line = peek()) {
      content += `${line.slice(1)}\n`;
      at++;
    }
    skipBlank();
    if (isInFile()) throw wrong('each line of a new file begins with +.', at + 2);
    return content;
  }

  function nextHunk(): PatchHunk | undefined {
    skipBlank();
    if (!isInFile()) return undefined;
    const hasHeader = peek()?.startsWith('@@') === true;
    const anchors: string[] = [];
    let afterLine: number | undefined;
    for (let line = peek(); line?.startsWith('@@'); line = peek()) {
      const header = line.slice(2).trim();
      const [numbers = '', start, count] = numbered.exec(header) ?? [];
      if (count === '0') afterLine = Number(start);
      const anchor = header.slice(numbers.length).trim();
      if (anchor !== '' && anchor !== '@@') anchors.push(anchor);
      at++;
    }
    const [oldLines, newLines] = hunkLines();
    const isAtEnd = peek()?.trim() === endOfFile;
    if (isAtEnd) at++;
    if (oldLines.length === 0 && newLines.length === 0)
      throw hasHeader
        ? wrong('no line follows the @@ of a hunk.')
        : wrong(`expected @@, lines of a hunk, or the header of a file. ${form}`, at + (isAtEnd ? 1 : 2));
    return { anchors, oldLines, newLines, afterLine: oldLines.length === 0 ? afterLine : undefined, isAtEnd };
  }

  function hunkLines(): readonly [string[], string[]] {
    const [oldLines, newLines]: [string[], string[]] = [[], []];
    for (let line = peek(); line !== undefined && !/^(?:@@|\*\*\* )/.test(line); line = peek()) {
      if (isHeader(line)) break;
      const [sign, rest] = [line.charAt(0), line.slice(1)];
      if (sign !== ' ' && sign !== '-' && sign !== '+' && line !== '')
        throw wrong('each line of a hunk begins with a space, - or +.', at + 2);
      // An empty line between two parts is not a line of the file.
      const isBetween = line === '' && /^(?:$|@@|\*\*\* )/.test(lines[at + 1] ?? '');
      if (sign !== '+' && !isBetween) oldLines.push(rest);
      if (sign !== '-' && !isBetween) newLines.push(rest);
      at++;
    }
    return [oldLines, newLines];
  }

  function isInFile(): boolean {
    const line = peek();
    return line !== undefined && !isHeader(line);
  }

  /** An indented header may be a context line, so it counts only if another header or `@@` follows. */
  function isHeader(line: string): boolean {
    const follows = lines[at + 1] ?? '';
    return fileHeader.test(line) || (fileHeader.test(line.trimStart()) && /^\s*(?:@@|\*\*\* )/.test(follows));
  }

  function skipBlank(): void {
    while (peek()?.trim() === '' && !peek()?.startsWith(' ')) at++;
  }

  function peek(): string | undefined {
    return lines[at];
  }

  function wrong(what: string, line = at + 1): ToolError {
    return new ToolError('invalid_input', `Line ${linesBefore + line} of the patch: ${what}`);
  }

  return nextFile;
}
