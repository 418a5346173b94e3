import { outputNumbers } from '../../core/fixed-limits.js';
import type { OutputReader } from '../../ports/shell.js';
import type { CaptureFile } from './capture-file.js';
import { CaptureReader } from './capture-reader.js';
import { tailOutput, type ViewOptions, viewOutput } from './view.js';

/** The output that a result shows. */
export interface ShownOutput {
  /** In the order of writing if stdout and stderr share a file; else stdout, then stderr. */
  readonly text: string;
  /** Whether the text is incomplete. */
  readonly isCut: boolean;
  /** Set if stdout and stderr have separate files. */
  readonly streams: { readonly stdout: string; readonly stderr: string; readonly errorFile: string } | undefined;
}

/** The growing output of one command: stdout and stderr in one file, in the order of writing, or in two files. */
export class CommandOutput {
  /** The file of stdout, and of stderr if both share a file. */
  readonly main: CaptureFile;
  readonly #errors: CaptureFile | undefined;
  readonly #view: ViewOptions;

  constructor(main: CaptureFile, errors: CaptureFile | undefined, view: ViewOptions) {
    this.main = main;
    this.#errors = errors;
    this.#view = view;
  }

  /** The descriptors for stdout and stderr. */
  get descriptors(): { readonly stdout: number; readonly stderr: number } {
    return { stdout: this.main.fd, stderr: (this.#errors ?? this.main).fd };
  }

  /** Absolute paths of the files; the file of stdout comes first. */
  get paths(): readonly string[] {
    return this.#files.map(({ path }) => path);
  }

  /** Bytes in each file now. */
  get sizes(): readonly number[] {
    return this.#files.map(({ size }) => size);
  }

  /** Whether a truncation of a file by the command was detected. */
  get wasEmptied(): boolean {
    return this.#files.some((file) => file.wasEmptied);
  }

  /** Cuts the files to their limit. */
  bound(): void {
    for (const file of this.#files) file.bound();
  }

  /**
   * The whole output, or the part that fits. Each of two streams may use half of the space, and the space that the
   * other stream does not need.
   */
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

  /** The newest output, at most `maxChars`. An end that may be the beginning of a secret is omitted. */
  tail(maxChars: number): string {
    const share = Math.floor(maxChars / this.#files.length);
    return this.#files
      .reduce((text, file) => joined(text, tailOutput(file, { ...this.#view, maxChars: share })), '')
      .slice(-maxChars);
  }

  /** A reader that starts at the beginning. */
  open(): OutputReader {
    const readers = this.#files.map((file) => new CaptureReader(file, this.#view));
    return { read: (isComplete) => readers.reduce((text, reader) => joined(text, reader.read(isComplete)), '') };
  }

  /**
   * The whole output in pieces, in the order of {@link ShownOutput.text}. Pass the final sizes of the files to `next`
   * when the command has ended; before that, pieces may be empty.
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

  /** Closes the files; {@link open} still reads them. */
  close(): void {
    for (const file of this.#files) file.close();
  }

  get #files(): readonly CaptureFile[] {
    return this.#errors === undefined ? [this.main] : [this.main, this.#errors];
  }
}

/** Joins two texts. The second text begins on a new line. */
function joined(first: string, second: string): string {
  return first === '' || second === '' || first.endsWith('\n') ? first + second : `${first}\n${second}`;
}
