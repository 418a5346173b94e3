import { setImmediate as nextTurn } from 'node:timers/promises';
import { shellNumbers } from '../../core/fixed-limits.js';
import type { LeftCommand, Leftover, ProcessSignal } from '../../core/registry/toolkit-processes.js';
import { type Timers, unrefTimer } from '../../core/support/timers.js';
import type { SandboxLaunch } from '../../ports/sandbox.js';
import type { OutputReader, ShellOutcome, ShellRequest, Survivor } from '../../ports/shell.js';
import type { CommandOutput } from '../output/capture.js';
import type { OutputWatch, Watched } from '../output/watch-size.js';
import type { ProcessTree } from './process-tree.js';
import { SilenceWatch } from './silence-watch.js';
import type { ProcessEnd } from './start-process.js';
import type { Terminal } from './terminal.js';

/** Options of a running command. */
export interface CommandRunOptions {
  readonly sessionId: string;
  readonly maxFileBytes: number;
  readonly maxProgressChars: number;
  readonly watch: OutputWatch;
  readonly timers: Timers;
  readonly request: Pick<ShellRequest, 'onOutput' | 'onSilence' | 'wantsChunks' | 'isAwaited'>;
  /** The terminal of the command, if it has one. */
  readonly terminal: Terminal | undefined;
  /** Called once, by {@link CommandRun.close}. */
  readonly onGone: () => void;
}

const emptiedNote =
  '[earlier output is lost: a program opened /dev/stdout or /dev/stderr for writing, which emptied the output file; ' +
  'write to >&1 or >&2 instead]';

/** One command from its start until its last process ends: output, processes, progress. */
export class CommandRun implements Watched, LeftCommand {
  readonly output: CommandOutput;
  readonly maxBytes: number;
  readonly #options: CommandRunOptions;
  #tree: ProcessTree | undefined;
  #launch: SandboxLaunch | undefined;
  #silence: SilenceWatch | undefined;
  readonly #unwatch: () => void;
  readonly gone: Promise<void>;
  #resolveGone: () => void = () => {};
  #isClosed = false;
  #ending: Promise<readonly Survivor[]> | undefined;
  #shownSize = 0;
  #isReported = false;
  #chunks: ReturnType<CommandOutput['chunks']> | undefined;
  #earlyScan: unknown;

  constructor(output: CommandOutput, options: CommandRunOptions) {
    this.output = output;
    this.#options = options;
    this.maxBytes = options.maxFileBytes;
    if (options.request.wantsChunks === true) this.#chunks = output.chunks();
    this.#unwatch = options.watch.add(this);
    this.gone = new Promise((resolve) => {
      this.#resolveGone = resolve;
    });
  }

  /** Absolute path of the file with stdout, and with stderr if both share a file. */
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

  /** Call this when the command has started. */
  begin(tree: ProcessTree, launch: SandboxLaunch): void {
    this.#tree = tree;
    this.#launch = launch;
    const { terminal, timers, request } = this.#options;
    if (terminal !== undefined) this.#silence = new SilenceWatch(timers, () => request.onSilence?.('unknown'));
    this.#earlyScan = unrefTimer(timers.set(() => tree.notice(), shellNumbers.firstScanMs));
  }

  /**
   * Cuts the files to their limit and sends progress. After the report, closes the run as soon as all processes have
   * ended.
   */
  look(): void {
    this.#try(() => this.output.bound());
    if (this.#isReported && this.#tree?.isGone() !== false) {
      this.close();
      return;
    }
    if (this.#isReported) return;
    this.#tree?.notice();
    this.#try(() => this.#sendNew());
    this.#try(() => this.#silence?.look(this.size));
  }

  /** Types text into the terminal of the command. */
  type(text: string): void {
    this.#options.terminal?.type(text);
    this.#silence?.restart();
  }

  /** Sends new output. Returns false when the command has ended and all its output was sent. */
  #sendNew(ends?: readonly number[]): boolean {
    // A background command sends no chunks, because its output is read on request.
    if (this.#options.request.isAwaited?.() === false) this.#chunks = undefined;
    const next = this.#chunks?.next(ends);
    const { size } = this;
    if (next?.done === true || (size === this.#shownSize && (next?.value ?? '') === '')) return next?.done === false;
    this.#shownSize = size;
    this.#options.request.onOutput?.(this.output.tail(this.#options.maxProgressChars), next?.value);
    return true;
  }

  /** Sends the remaining output. Yields to the event loop, unless a running process could change the file. */
  async #sendRest(mayYield: boolean): Promise<void> {
    const { sizes } = this.output;
    for (let isMore = this.#chunks !== undefined; isMore; ) {
      isMore = false;
      this.#try(() => {
        isMore = true;
        isMore = this.#sendNew(sizes);
      });
      if (mayYield) await nextTurn();
    }
  }

  // A failing listener or a full disk must not stop the checks of the output.
  #try(action: () => void): void {
    try {
      action();
    } catch {
      // The result shows the output anyway.
    }
  }

  /**
   * Returns the outcome after the shell has ended. While processes survive, their files stay open and are still
   * checked.
   */
  async report(end: ProcessEnd, timedOut: boolean, survivors: readonly Survivor[]): Promise<ShellOutcome> {
    this.#options.timers.clear(this.#earlyScan);
    this.#isReported = true;
    this.#try(() => this.output.bound());
    await this.#sendRest(survivors.length === 0);
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

  /** The running processes. */
  leftovers(): readonly Leftover[] {
    return (this.#tree?.survivors() ?? []).map((survivor) => ({ ...survivor, outputFile: this.outputFile }));
  }

  /** Whether the command has ended. Some of its processes may still run. */
  get isReported(): boolean {
    return this.#isReported;
  }

  /** After the shell has exited: ends the remaining processes if `endsRest` is true, then returns the survivors. */
  async settle(endsRest: boolean): Promise<readonly Survivor[]> {
    return (await (endsRest ? this.#tree?.end() : this.#tree?.settle())) ?? [];
  }

  /** Ends all processes; concurrent calls share one result. */
  end(): Promise<readonly Survivor[]> {
    this.#ending ??= this.#end().finally(() => {
      this.#ending = undefined;
    });
    return this.#ending;
  }

  async #end(): Promise<readonly Survivor[]> {
    // Once all processes have ended, their ids may be reused.
    if (this.#isClosed) return [];
    // An interactive shell ignores SIGTERM. It ends at SIGHUP, the signal for a closed terminal.
    if (this.#options.terminal !== undefined) this.#tree?.signal('SIGHUP');
    // The failure of a sandbox must not replace the result, nor keep `dispose` from ending the other commands.
    const endInside = async () => await this.#launch?.end?.();
    const [survivors = []] = await Promise.all([this.#tree?.end(), endInside().catch(() => {})]);
    return survivors;
  }

  /**
   * Sends a signal to all processes, or to the process `pid`. False if all processes have ended or `pid` is not one of
   * them.
   */
  signal(signal: ProcessSignal, pid?: number): boolean {
    if (signal === 'SIGKILL' && pid === undefined) this.#try(() => this.#launch?.kill?.());
    return !this.#isClosed && this.#tree?.signal(signal, pid) === true;
  }

  /** Sends SIGKILL to all processes. */
  kill(): void {
    this.#try(() => this.#launch?.kill?.());
    this.#tree?.kill();
  }

  /** Closes the files and stops the checks; {@link open} still reads the files. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#unwatch();
    this.output.close();
    this.#options.onGone();
    this.#resolveGone();
  }
}
