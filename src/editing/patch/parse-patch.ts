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

/** The files that a patch names, including the targets of moves. The patch creates the files that are new. */
export function patchPaths(patch: readonly FilePatch[]) {
  return patch.flatMap((file) => [
    { path: file.path, isNew: file.kind === 'add' },
    ...(file.kind === 'update' && file.moveTo !== undefined ? [{ path: file.moveTo, isNew: true }] : []),
  ]);
}

/** Parses a patch. Throws `invalid_input` for a wrong line, with its number, and for a file that is named twice. */
export function parsePatch(text: string): readonly FilePatch[] {
  const reader = new PatchReader(text);
  const files: FilePatch[] = [];
  for (let file = reader.nextFile(); file !== undefined; file = reader.nextFile()) files.push(file);
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

class PatchReader {
  readonly #lines: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#lines = text.trim().split(/\r\n|\n/);
    if (this.#take()?.trim() !== '*** Begin Patch' || this.#lines.at(-1)?.trim() !== '*** End Patch')
      throw new ToolError('invalid_input', `This is not a patch. ${form}`);
    this.#lines = this.#lines.slice(0, -1);
  }

  nextFile(): FilePatch | undefined {
    while (this.#peek()?.trim() === '') this.#at++;
    const line = this.#take();
    if (line === undefined) return undefined;
    const [, kind, path = ''] = fileHeader.exec(line.trimStart()) ?? [];
    if (kind === 'Add') return { kind: 'add', path, content: this.#content() };
    if (kind === 'Delete') return { kind: 'delete', path };
    if (kind !== 'Update') throw this.#wrong(`expected the header of a file. ${form}`);
    this.#skipBlank();
    const moveTo = moveHeader.exec(this.#peek() ?? '')?.[1];
    if (moveTo !== undefined) this.#at++;
    const hunks: PatchHunk[] = [];
    for (let hunk = this.#hunk(); hunk !== undefined; hunk = this.#hunk()) hunks.push(hunk);
    if (hunks.length === 0 && moveTo === undefined)
      throw this.#wrong(`no change of ${path} follows. Write @@, then its lines with a blank, - or + in front.`);
    return { kind: 'update', path, moveTo, hunks };
  }

  #content(): string {
    let content = '';
    for (let line = this.#peek(); line?.startsWith('+'); line = this.#peek()) {
      content += `${line.slice(1)}\n`;
      this.#at++;
    }
    this.#skipBlank();
    if (this.#isInFile()) throw this.#wrong('each line of a new file begins with +.', this.#at + 1);
    return content;
  }

  #hunk(): PatchHunk | undefined {
    this.#skipBlank();
    if (!this.#isInFile()) return undefined;
    const hasHeader = this.#peek()?.startsWith('@@') === true;
    const anchors: string[] = [];
    let afterLine: number | undefined;
    for (let line = this.#peek(); line?.startsWith('@@'); line = this.#peek()) {
      const header = line.slice(2).trim();
      const [numbers = '', start, count] = numbered.exec(header) ?? [];
      if (count === '0') afterLine = Number(start);
      const anchor = header.slice(numbers.length).trim();
      if (anchor !== '' && anchor !== '@@') anchors.push(anchor);
      this.#at++;
    }
    const [oldLines, newLines] = this.#hunkLines();
    const isAtEnd = this.#peek()?.trim() === endOfFile;
    if (isAtEnd) this.#at++;
    if (oldLines.length === 0 && newLines.length === 0)
      throw hasHeader
        ? this.#wrong('no line follows the @@ of a hunk.')
        : this.#wrong(`expected @@, lines of a hunk, or the header of a file. ${form}`, this.#at + (isAtEnd ? 0 : 1));
    return { anchors, oldLines, newLines, afterLine: oldLines.length === 0 ? afterLine : undefined, isAtEnd };
  }

  #hunkLines(): readonly [string[], string[]] {
    const [oldLines, newLines]: [string[], string[]] = [[], []];
    for (let line = this.#peek(); line !== undefined && !/^(?:@@|\*\*\* )/.test(line); line = this.#peek()) {
      if (this.#isHeader(line)) break;
      const [sign, rest] = [line.charAt(0), line.slice(1)];
      if (sign !== ' ' && sign !== '-' && sign !== '+' && line !== '')
        throw this.#wrong('each line of a hunk begins with a blank, - or +.', this.#at + 1);
      // An empty line between two parts is not a line of the file.
      const isBetween = line === '' && /^(?:$|@@|\*\*\* )/.test(this.#lines[this.#at + 1] ?? '');
      if (sign !== '+' && !isBetween) oldLines.push(rest);
      if (sign !== '-' && !isBetween) newLines.push(rest);
      this.#at++;
    }
    return [oldLines, newLines];
  }

  #isInFile(): boolean {
    const line = this.#peek();
    return line !== undefined && !this.#isHeader(line);
  }

  /** An indented header may be a context line, so it counts only if another header or `@@` follows. */
  #isHeader(line: string): boolean {
    const follows = this.#lines[this.#at + 1] ?? '';
    return fileHeader.test(line) || (fileHeader.test(line.trimStart()) && /^\s*(?:@@|\*\*\* )/.test(follows));
  }

  #skipBlank(): void {
    while (this.#peek()?.trim() === '' && !this.#peek()?.startsWith(' ')) this.#at++;
  }

  #peek(): string | undefined {
    return this.#lines[this.#at];
  }

  #take(): string | undefined {
    return this.#lines[this.#at++];
  }

  #wrong(what: string, line = this.#at): ToolError {
    return new ToolError('invalid_input', `Line ${line} of the patch: ${what}`);
  }
}
