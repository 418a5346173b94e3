import type { SandboxLaunch } from '../host/sandbox.js';
import type { Leftover, OutputReader, ShellOutcome, Survivor } from '../host/shell.js';
import type { CaptureFile } from './capture-file.js';
import { CaptureReader } from './capture-reader.js';
import { tailOutput, type ViewOptions, viewOutput } from './output-view.js';
import type { OutputWatch, Watched } from './output-watch.js';
import type { ProcessTree } from './process-tree.js';
import type { ProcessEnd } from './start-process.js';

/** What one running command needs of its shell. */
export interface RunOptions {
  readonly view: ViewOptions;
  readonly maxFileBytes: number;
  readonly maxProgressChars: number;
  readonly watch: OutputWatch;
  readonly onOutput: ((tail: string) => void) | undefined;
  /** Called once when nothing of the command lives any more after {@link CommandRun.report}. */
  readonly onGone: () => void;
}

const emptiedNote =
  '[earlier output is lost: a program opened /dev/stdout or /dev/stderr for writing, which emptied it; write to >&1 or >&2 there]';

/** One command from its start until nothing of it lives: its output, its processes, its progress. */
export class CommandRun implements Watched {
  readonly capture: CaptureFile;
  readonly maxBytes: number;
  readonly #options: RunOptions;
  #tree: ProcessTree | undefined;
  #launch: SandboxLaunch | undefined;
  readonly #unwatch: () => void;
  #isClosed = false;
  #ending: Promise<readonly Survivor[]> | undefined;
  #shownSize = 0;
  #isReported = false;
  #onOutput: ((tail: string) => void) | undefined;

  constructor(capture: CaptureFile, options: RunOptions) {
    this.capture = capture;
    this.#options = options;
    this.maxBytes = options.maxFileBytes;
    this.#onOutput = options.onOutput;
    this.#unwatch = options.watch.add(this);
  }

  /** Takes secrets out of a text. */
  readonly scrub = (text: string): string => this.#options.view.scrubber.text(text);

  get size(): number {
    return this.capture.size;
  }

  /** A reader of the growing output. */
  open(): OutputReader {
    return new CaptureReader(this.capture, this.#options.view);
  }

  /** Says which processes it is, and how it was launched. */
  begin(tree: ProcessTree, launch: SandboxLaunch): void {
    this.#tree = tree;
    this.#launch = launch;
  }

  /** Keeps the file within its bound and sends progress. */
  look(): void {
    this.#try(() => this.capture.bound());
    if (this.#isReported && this.#tree?.isGone() !== false) {
      this.close();
      return;
    }
    const { size } = this.capture;
    if (this.#onOutput === undefined || size === this.#shownSize) return;
    this.#shownSize = size;
    const { view, maxProgressChars } = this.#options;
    this.#try(() => this.#onOutput?.(tailOutput(this.capture, { ...view, maxChars: maxProgressChars })));
  }

  // A listener that fails or a disk that is full must not take down what only watches.
  #try(action: () => void): void {
    try {
      action();
    } catch {
      // What the file still holds is shown in the end.
    }
  }

  /** The shell has exited or was ended: the outcome. What lives on keeps its file and stays watched. */
  report(end: ProcessEnd, timedOut: boolean, survivors: readonly Survivor[]): ShellOutcome {
    this.#onOutput = undefined;
    this.#isReported = true;
    this.#try(() => this.capture.bound());
    const view = viewOutput(this.capture, this.#options.view);
    if (survivors.length === 0) this.close();
    const { path: outputFile, wasEmptied } = this.capture;
    const outcome = { ...end, output: view.text, outputFile, truncated: view.isCut || wasEmptied, timedOut, survivors };
    return wasEmptied ? { ...outcome, note: emptiedNote } : outcome;
  }

  /** What lives now. */
  leftovers(): readonly Leftover[] {
    return (this.#tree?.survivors() ?? []).map((survivor) => ({ ...survivor, outputFile: this.capture.path }));
  }

  /** True when the command has answered, so that what lives was left behind. */
  get isReported(): boolean {
    return this.#isReported;
  }

  /** After the shell has exited: what it left; with `endsRest` that is ended first. */
  async settle(endsRest: boolean): Promise<readonly Survivor[]> {
    return (await (endsRest ? this.#tree?.end() : this.#tree?.settle())) ?? [];
  }

  /** Ends what lives; who asks while that goes on gets the same answer. */
  end(): Promise<readonly Survivor[]> {
    this.#ending ??= this.#end().finally(() => {
      this.#ending = undefined;
    });
    return this.#ending;
  }

  async #end(): Promise<readonly Survivor[]> {
    // When everything is gone its numbers may be somebody else's.
    if (this.#isClosed) return [];
    const [survivors = []] = await Promise.all([this.#tree?.end(), this.#launch?.end?.()]);
    return survivors;
  }

  /** Sends KILL to what lives. */
  kill(): void {
    this.#try(() => this.#launch?.kill?.());
    this.#tree?.kill();
  }

  /** Lets the file and the processes go; {@link open} still reads it. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#unwatch();
    this.capture.close();
    this.#options.onGone();
  }
}
