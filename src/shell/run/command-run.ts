import { setImmediate as nextTurn } from 'node:timers/promises';
import { shellNumbers } from '../../core/numbers.js';
import type { LeftCommand, Leftover, ProcessSignal } from '../../core/registry/toolkit-processes.js';
import { unrefTimer } from '../../core/support/timer.js';
import type { Timers } from '../../core/support/timers.js';
import type { SandboxLaunch } from '../../ports/sandbox.js';
import type { OutputReader, ShellOutcome, ShellRequest, Survivor } from '../../ports/shell.js';
import type { CommandOutput } from '../output/command-output.js';
import type { OutputWatch, Watched } from '../output/output-watch.js';
import type { ProcessTree } from '../processes/process-tree.js';
import type { TerminalWait } from '../processes/waits-for-input.js';
import { SilenceWatch } from './silence-watch.js';
import type { ProcessEnd } from './start-process.js';
import type { Terminal } from './terminal.js';

/** What one running command needs of its shell. */
export interface RunOptions {
  /** Whose command it is. */
  readonly sessionId: string;
  readonly maxFileBytes: number;
  readonly maxProgressChars: number;
  readonly watch: OutputWatch;
  readonly timers: Timers;
  readonly request: Pick<ShellRequest, 'onOutput' | 'onSilence' | 'wantsChunks' | 'isAwaited'>;
  /** The terminal that it runs on, where it has one. */
  readonly terminal: Terminal | undefined;
  /** Called once when nothing of the command lives any more after {@link CommandRun.report}. */
  readonly onGone: () => void;
}

const emptiedNote =
  '[earlier output is lost: a program opened /dev/stdout or /dev/stderr for writing, which emptied it; ' +
  'write to >&1 or >&2 there]';

/** One command from its start until nothing of it lives: its output, its processes, its progress. */
export class CommandRun implements Watched, LeftCommand {
  readonly output: CommandOutput;
  readonly maxBytes: number;
  readonly #options: RunOptions;
  #tree: ProcessTree | undefined;
  #launch: SandboxLaunch | undefined;
  #silence: SilenceWatch | undefined;
  readonly #unwatch: () => void;
  readonly gone: Promise<void>;
  #goes: () => void = () => {};
  #isClosed = false;
  #ending: Promise<readonly Survivor[]> | undefined;
  #shownSize = 0;
  #isReported = false;
  #chunks: ReturnType<CommandOutput['chunks']> | undefined;
  #earlyLook: unknown;

  constructor(output: CommandOutput, options: RunOptions) {
    this.output = output;
    this.#options = options;
    this.maxBytes = options.maxFileBytes;
    if (options.request.wantsChunks === true) this.#chunks = output.chunks();
    this.#unwatch = options.watch.add(this);
    this.gone = new Promise((resolve) => {
      this.#goes = resolve;
    });
  }

  /** Absolute path of the file that takes stdout, and with it stderr unless that has one of its own. */
  get outputFile(): string {
    return this.output.main.path;
  }

  get size(): number {
    return this.output.sizes.reduce((sum, size) => sum + size, 0);
  }

  get sessionId(): string {
    return this.#options.sessionId;
  }

  /** A reader of the growing output. */
  open(): OutputReader {
    return this.output.open();
  }

  /** Says which processes it is, how it was launched, and how to see whether it waits for input. */
  begin(tree: ProcessTree, launch: SandboxLaunch, waitsForInput: () => TerminalWait): void {
    this.#tree = tree;
    this.#launch = launch;
    const { terminal, timers, request } = this.#options;
    const tell = (wait: 'yes' | 'unknown') => request.onSilence?.(wait);
    if (terminal !== undefined) this.#silence = new SilenceWatch({ timers, waitsForInput, tell });
    this.#earlyLook = unrefTimer(this.#options.timers.set(() => tree.notice(), shellNumbers.earlyLookMs));
  }

  /** Keeps the file within its bound and sends progress. */
  look(): void {
    this.#try(() => this.output.bound());
    if (this.#isReported && this.#tree?.isGone() !== false) {
      this.close();
      return;
    }
    if (this.#isReported) return;
    this.#tree?.notice();
    this.#try(() => this.#tell());
    this.#try(() => this.#silence?.look(this.size));
  }

  /** Types a text into its terminal. */
  type(text: string): void {
    this.#options.terminal?.type(text);
    this.#silence?.restart();
  }

  /** Sends what is new; false when all of an output that has ended was sent. */
  #tell(ends?: readonly number[]): boolean {
    // Once it has gone on in the background, whoever wants its output asks for it.
    if (this.#options.request.isAwaited?.() === false) this.#chunks = undefined;
    const next = this.#chunks?.next(ends);
    const { size } = this;
    if (next?.done === true || (size === this.#shownSize && (next?.value ?? '') === '')) return next?.done === false;
    this.#shownSize = size;
    this.#options.request.onOutput?.(this.output.tail(this.#options.maxProgressChars), next?.value);
    return true;
  }

  /** Sends the rest. Other work goes on meanwhile, unless what lives could change the file. */
  async #tellRest(mayPause: boolean): Promise<void> {
    const { sizes } = this.output;
    for (let isMore = this.#chunks !== undefined; isMore; ) {
      isMore = false;
      this.#try(() => {
        isMore = true;
        isMore = this.#tell(sizes);
      });
      if (mayPause) await nextTurn();
    }
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
  async report(end: ProcessEnd, timedOut: boolean, survivors: readonly Survivor[]): Promise<ShellOutcome> {
    this.#options.timers.clear(this.#earlyLook);
    this.#isReported = true;
    this.#try(() => this.output.bound());
    await this.#tellRest(survivors.length === 0);
    const { text: output, isCut, streams } = this.output.show();
    if (survivors.length === 0) this.close();
    const { wasEmptied } = this.output;
    const outcome = {
      ...end,
      output,
      outputFile: this.outputFile,
      ...streams,
      truncated: isCut || wasEmptied,
      timedOut,
      survivors,
    };
    return wasEmptied ? { ...outcome, note: emptiedNote } : outcome;
  }

  /** What lives now. */
  leftovers(): readonly Leftover[] {
    return (this.#tree?.survivors() ?? []).map((survivor) => ({ ...survivor, outputFile: this.outputFile }));
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
    // A shell that somebody types into ignores TERM; it ends with its terminal.
    if (this.#options.terminal !== undefined) this.#tree?.signal('SIGHUP');
    const [survivors = []] = await Promise.all([this.#tree?.end(), this.#launch?.end?.()]);
    return survivors;
  }

  /** Sends a signal to everything that lives, or to one process of it; false where there is none. */
  signal(signal: ProcessSignal, pid?: number): boolean {
    if (signal === 'SIGKILL' && pid === undefined) this.#try(() => this.#launch?.kill?.());
    return !this.#isClosed && this.#tree?.signal(signal, pid) === true;
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
    this.output.close();
    this.#options.onGone();
    this.#goes();
  }
}
