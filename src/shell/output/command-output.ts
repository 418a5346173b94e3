import { outputNumbers } from '../../core/numbers.js';
import type { OutputReader } from '../../ports/shell.js';
import type { CaptureFile } from './capture-file.js';
import { CaptureReader } from './capture-reader.js';
import { tailOutput, type ViewOptions, viewOutput } from './output-view.js';

/** What a result shows of the output. */
export interface ShownOutput {
  /** In the order it was written where one file took everything; else stdout, then stderr. */
  readonly text: string;
  /** Something is missing from the text. */
  readonly isCut: boolean;
  /** Where the two were kept apart. */
  readonly streams: { readonly stdout: string; readonly stderr: string; readonly errorFile: string } | undefined;
}

/**
 * The output of one command while it grows: stdout and stderr in one file, in the order they are written, or each in a
 * file of its own.
 */
export class CommandOutput {
  /** Takes stdout, and stderr too unless that has a file of its own. */
  readonly main: CaptureFile;
  readonly #errors: CaptureFile | undefined;
  readonly #view: ViewOptions;

  constructor(main: CaptureFile, errors: CaptureFile | undefined, view: ViewOptions) {
    this.main = main;
    this.#errors = errors;
    this.#view = view;
  }

  /** The descriptors that take stdout and stderr. */
  get descriptors(): { readonly stdout: number; readonly stderr: number } {
    return { stdout: this.main.fd, stderr: (this.#errors ?? this.main).fd };
  }

  /** Absolute paths of the files, the one of stdout first. */
  get paths(): readonly string[] {
    return this.#files.map(({ path }) => path);
  }

  /** Bytes in each file now. */
  get sizes(): readonly number[] {
    return this.#files.map(({ size }) => size);
  }

  /** True when it was seen that the command itself emptied a file. */
  get wasEmptied(): boolean {
    return this.#files.some((file) => file.wasEmptied);
  }

  /** Keeps the files within their bound. */
  bound(): void {
    for (const file of this.#files) file.bound();
  }

  /** Everything, or what fits: of two streams each may take up half, and what the other leaves free. */
  show(): ShownOutput {
    if (this.#errors === undefined) return { ...viewOutput(this.main, this.#view), streams: undefined };
    const { wholeChars = 0 } = this.#view;
    const maxChars = this.main.size + this.#errors.size < wholeChars ? wholeChars : this.#view.maxChars;
    const free = Math.max(Math.floor(maxChars / 2), maxChars - this.main.size);
    const { scrubber } = this.#view;
    const stderr = viewOutput(this.#errors, { scrubber, maxChars: free });
    const stdout = viewOutput(this.main, { scrubber, maxChars: maxChars - stderr.text.length - 1 });
    return {
      text: joined(stdout.text, stderr.text),
      isCut: stdout.isCut || stderr.isCut,
      streams: { stdout: stdout.text, stderr: stderr.text, errorFile: this.#errors.path },
    };
  }

  /** The newest of it, at most `maxChars`; what could be the beginning of a secret is held back. */
  tail(maxChars: number): string {
    const share = Math.floor(maxChars / this.#files.length);
    return this.#files
      .reduce((text, file) => joined(text, tailOutput(file, { ...this.#view, maxChars: share })), '')
      .slice(-maxChars);
  }

  /** A reader with a position of its own, at the beginning. */
  open(): OutputReader {
    const readers = this.#files.map((file) => new CaptureReader(file, this.#view));
    return { read: (isComplete) => readers.reduce((text, reader) => joined(text, reader.read(isComplete)), '') };
  }

  /**
   * All of it piece by piece, in the order of a result; `next` takes the sizes at which the files end, and gives pieces
   * until then that may be empty.
   */
  *chunks(): Generator<string, undefined, readonly number[] | undefined> {
    let latest = '';
    let ends: readonly number[] | undefined;
    for (const [index, file] of this.#files.entries()) {
      const reader = new CaptureReader(file, this.#view);
      let before = latest;
      for (;;) {
        const text = reader.readLines(outputNumbers.maxChunkChars, ends?.[index]);
        if (text === undefined) break;
        ends = yield joined(before, text).slice(before.length);
        if (text !== '') [latest, before] = [text, ''];
      }
    }
    return undefined;
  }

  /** Lets the files go; {@link open} still reads them. */
  close(): void {
    for (const file of this.#files) file.close();
  }

  get #files(): readonly CaptureFile[] {
    return this.#errors === undefined ? [this.main] : [this.main, this.#errors];
  }
}

/** The second text begins on a line of its own. */
function joined(first: string, second: string): string {
  return first === '' || second === '' || first.endsWith('\n') ? first + second : `${first}\n${second}`;
}
