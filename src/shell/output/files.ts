import { closeSync } from 'node:fs';
import type { Limits } from '../../core/limits.js';
import { CommandOutput } from './capture.js';
import { CaptureFile } from './capture-file.js';
import type { OutputFolder } from './folder.js';
import { type Screen, ScreenOutput } from './screen.js';
import { noScrubber, type OutputScrubber, resultView } from './view.js';

export interface OutputFilesOptions {
  /** Folder for the output; removed when this process ends. */
  readonly folder: OutputFolder;
  readonly limits: Pick<Limits, 'bash' | 'output'>;
  /** Applied to all text that the shell returns or reports; the files stay raw. Default: none. */
  readonly scrubber?: OutputScrubber | undefined;
  /**
   * Whether stdout and stderr are written to separate files and returned separately; their relative order is then
   * unknown. Default false.
   */
  readonly separateOutput?: boolean | undefined;
}

/** Creates the output files of commands. One file is created ahead of time, so that the next command need not wait. */
export class OutputFiles {
  readonly #options: OutputFilesOptions;
  #next: ReturnType<OutputFolder['create']> | undefined;

  constructor(options: OutputFilesOptions) {
    this.#options = options;
  }

  /** Opens the output of the next command. With a screen, the output is the content of the screen. */
  open(screen?: Screen): CommandOutput {
    const { folder, limits, scrubber = noScrubber, separateOutput = false } = this.#options;
    const capture = (file: ReturnType<OutputFolder['create']>) =>
      new CaptureFile(file, limits.bash.maxFileBytes, (text) => scrubber.text(text));
    const main = capture(this.#next ?? folder.create('bash'));
    this.#next = undefined;
    const view = resultView(limits.output, scrubber);
    if (screen !== undefined) return new ScreenOutput(main, screen, view);
    const errors = separateOutput ? capture(folder.create('bash-errors')) : undefined;
    return new CommandOutput(main, errors, view);
  }

  /** Creates the next file; call it while a command runs. */
  prepare(): void {
    try {
      this.#next ??= this.#options.folder.create('bash');
    } catch {
      // The next command tries again and reports the error.
    }
  }

  close(): void {
    if (this.#next !== undefined) closeSync(this.#next.fd);
    this.#next = undefined;
  }
}

const reopens = /\/dev\/(?:stdout|stderr|fd\/[12])|\/proc\/[^/\s]+\/fd\//;
const throughPipe = 'exec > >(exec 3<&0; cat <&3 3<&- & ) 2>&1; ';
const throughTwoPipes = 'exec > >(exec 3<&0; cat <&3 3<&- & ) 2> >(exec 3<&0; cat <&3 3<&- >&2 & ); ';

/**
 * Opening `/dev/stdout` or `/dev/stderr` for writing truncates the output file, so that all earlier output is lost. A
 * bash command that names these files writes to each output file through a pipe, because reopening a pipe truncates
 * nothing. Other commands are unchanged.
 */
export function keepReopenedOutput(command: string, isSeparate = false): string {
  return reopensOutput(command) ? (isSeparate ? throughTwoPipes : throughPipe) + command : command;
}

/** Whether a command names `/dev/stdout`, `/dev/stderr` or their descriptors, and so may reopen its output files. */
export function reopensOutput(command: string): boolean {
  return reopens.test(command);
}
