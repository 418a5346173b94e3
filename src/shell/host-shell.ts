import { setMaxListeners } from 'node:events';
import { closeSync, realpathSync } from 'node:fs';
import type { CallScope } from '../core/context.js';
import { ToolError } from '../core/error.js';
import type { Limits } from '../core/limits.js';
import type { Sandbox, SandboxLaunch, SandboxProgram } from '../host/sandbox.js';
import type { Leftover, Shell, ShellOutcome, ShellRequest } from '../host/shell.js';
import { CaptureFile } from './capture-file.js';
import { type ChildEnvironment, ChildEnvironments, type Variables } from './child-environment.js';
import { CommandRun } from './command-run.js';
import { findShell, type ShellProgram } from './find-shell.js';
import { onHostExit } from './host-exit.js';
import { killMarked } from './kill-marked.js';
import type { OutputFolder } from './output-folder.js';
import { noScrubber, type OutputScrubber } from './output-scrubber.js';
import { OutputWatch } from './output-watch.js';
import { markerName, markerValue } from './process-marker.js';
import { ancestorsOf } from './process-table.js';
import { ProcessTree } from './process-tree.js';
import { reapAbandoned } from './reap-abandoned.js';
import { keepReopenedOutput } from './reopened-output.js';
import { loadStartProcess, type StartedProcess, type StartProcess } from './start-process.js';
import { type StopReason, stopWatch } from './stop-watch.js';
import { workingDirectory } from './working-directory.js';

/** What a {@link HostShell} works with. */
export interface HostShellOptions {
  /** Absolute folders in which commands may run; the first is the default. */
  readonly roots: readonly string[];
  /** Takes the output; removed when this process ends. */
  readonly folder: OutputFolder;
  readonly limits: Pick<Limits, 'bash' | 'output'>;
  /** Variables for every command, over the allowlisted ones; undefined takes one away. */
  readonly env?: Variables | undefined;
  /** Applied to all text that leaves the shell. Default: none. */
  readonly scrubber?: OutputScrubber | undefined;
  /** Where commands run. Default: on this machine. */
  readonly sandbox?: Sandbox | undefined;
  /** Gets values of the environment that must never be shown. */
  readonly learnSecrets?: ((values: readonly string[]) => void) | undefined;
}

/** After the shell has exited: for children that are just ending. */
const drainMs = 40;
/** After KILL: for the kernel to take the processes away. */
const reapMs = 100;
/** Characters kept free for the lines that follow the output in a result. */
const trailerChars = 500;
/** The kernel takes no longer single argument. */
const maxCommandBytes = 131_000;

/**
 * Runs commands as processes of this machine, each in a session of its own with its output in a file.
 * What a command leaves running goes on until {@link dispose} or until this process ends.
 */
export class HostShell implements Shell, AsyncDisposable {
  readonly #options: HostShellOptions;
  readonly #watch: OutputWatch;
  readonly #runs = new Set<CommandRun>();
  readonly #active = new Set<Promise<unknown>>();
  readonly #environments = new ChildEnvironments();
  readonly #learned = new Set<string>();
  readonly #disposal = new AbortController();
  #program: ShellProgram | undefined;
  #nextFile: { readonly path: string; readonly fd: number } | undefined;
  #startProcess: Promise<StartProcess> | undefined;
  #unregister: (() => void) | undefined;
  #ancestors: ReadonlySet<number> | undefined;
  #owner: string | undefined;
  #count = 0;

  constructor(options: HostShellOptions) {
    this.#options = options;
    this.#watch = new OutputWatch(options.limits.bash.progressMs);
    // Every running command listens.
    setMaxListeners(0, this.#disposal.signal);
  }

  async run(request: ShellRequest, scope: CallScope): Promise<ShellOutcome> {
    const outcome = this.#run(request, scope);
    this.#active.add(outcome);
    try {
      return await outcome;
    } finally {
      this.#active.delete(outcome);
    }
  }

  async #run(request: ShellRequest, scope: CallScope): Promise<ShellOutcome> {
    this.#check(request, scope);
    const timeLimitMs = request.timeoutMs ?? this.#options.limits.bash.timeoutMs;
    const cwd = workingDirectory(request.cwd, this.#options.roots);
    const run = this.#open(request);
    try {
      request.onStart?.({ outputFile: run.capture.path, open: () => run.open(), end: () => run.end() });
      const signals = [scope.signal, this.#disposal.signal];
      const process = await this.#start(request, cwd, run, signals);
      const stop = stopWatch(signals, timeLimitMs);
      try {
        const first = await Promise.race([process.ended, stop.stopped]);
        if (typeof first === 'string') return { ...(await this.#stopped(run, process, first, scope)), timeLimitMs };
        return { ...run.report(first, false, await run.settle(this.#options.sandbox?.endsWithCommand === true)), timeLimitMs };
      } finally {
        stop.clear();
      }
    } catch (thrown) {
      // After an abort it may hold what could not be ended.
      if (!run.isReported) run.close();
      throw thrown;
    }
  }

  /** What commands left running, with the files their output goes to. */
  leftovers(): readonly Leftover[] {
    return [...this.#runs].filter((run) => run.isReported).flatMap((run) => run.leftovers());
  }

  /** Ends every command and everything commands left running. Commands in progress answer `interrupted`. */
  async dispose(): Promise<void> {
    this.#disposal.abort();
    await Promise.allSettled(this.#active);
    await Promise.all([...this.#runs].map((run) => run.end()));
    for (const run of this.#runs) run.close();
    if (this.#nextFile !== undefined) closeSync(this.#nextFile.fd);
    this.#nextFile = undefined;
    this.#killMarked();
    this.#unregister?.();
    this.#unregister = undefined;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  #check({ command, timeoutMs }: ShellRequest, { signal }: CallScope): void {
    if (this.#disposal.signal.aborted) throw new ToolError('execution_failed', 'The toolkit was disposed; it runs no more commands.');
    if (signal.aborted) throw new ToolError('cancelled', 'operation cancelled');
    if (command.includes('\0'))
      throw new ToolError('invalid_input', 'The command holds a NUL character, which no command line can carry. Remove it.');
    if (Buffer.byteLength(command) > maxCommandBytes || command.length > this.#options.limits.bash.maxCommandChars) {
      throw new ToolError('invalid_input', 'The command is too long for one command line. Write it to a file and run that file.');
    }
    if (timeoutMs !== undefined && !(timeoutMs > 0)) {
      throw new ToolError('invalid_input', `timeout must be a positive number of milliseconds, not ${timeoutMs}.`);
    }
  }

  #open(request: ShellRequest): CommandRun {
    const { folder, limits, scrubber = noScrubber } = this.#options;
    this.#unregister ??= this.#takeResponsibility();
    const file = this.#nextFile ?? folder.create('bash');
    this.#nextFile = undefined;
    const run: CommandRun = new CommandRun(new CaptureFile(file, limits.bash.maxFileBytes, (text) => scrubber.text(text)), {
      view: { maxChars: Math.max(1, limits.output.maxChars - trailerChars), scrubber },
      maxFileBytes: limits.bash.maxFileBytes,
      maxProgressChars: limits.bash.maxProgressChars,
      watch: this.#watch,
      onOutput: request.onOutput,
      onGone: () => this.#runs.delete(run),
    });
    this.#runs.add(run);
    return run;
  }

  async #start(request: ShellRequest, cwd: string, run: CommandRun, signals: readonly AbortSignal[]): Promise<StartedProcess> {
    const { folder, limits } = this.#options;
    const { owner } = folder;
    this.#owner = owner;
    const number = ++this.#count;
    const { env, inherited } = this.#environment(request, { PWD: cwd, [markerName]: markerValue(owner, number, process.env[markerName]) });
    this.#startProcess ??= loadStartProcess();
    const startProcess = await this.#startProcess;
    if (signals.some((signal) => signal.aborted)) throw new ToolError('cancelled', 'operation cancelled');
    const launch = this.#launch({ command: request.command, cwd, env, inherited, files: request.files });
    const started = await startProcess({ ...launch, cwd, output: run.capture.fd });
    this.#ancestors ??= ancestorsOf(process.pid);
    const tree = { pid: started.pid, owner, run: number, outputFile: run.capture.path, ancestors: this.#ancestors, scrub: run.scrub };
    run.begin(new ProcessTree(tree, { killGraceMs: limits.bash.killGraceMs, drainMs, reapMs }), launch);
    this.#prepareFile();
    return started;
  }

  #launch(program: Omit<SandboxProgram, 'roots'>): SandboxLaunch {
    const { sandbox, roots } = this.#options;
    if (sandbox !== undefined) return sandbox.launch({ ...program, roots: roots.map((root) => realpathSync(root)) });
    this.#program ??= findShell();
    const { file, isBash, argumentsFor } = this.#program;
    return { file, arguments: argumentsFor(isBash ? keepReopenedOutput(program.command) : program.command), env: program.env };
  }

  // Made while a command runs, so that the next one need not wait for it.
  #prepareFile(): void {
    if (this.#nextFile !== undefined || this.#disposal.signal.aborted) return;
    try {
      this.#nextFile = this.#options.folder.create('bash');
    } catch {
      // The next command tries again and says why.
    }
  }

  #environment(request: ShellRequest, own: Variables): ChildEnvironment {
    const environment = this.#environments.make(process.env, this.#options.env, request.env, own);
    const fresh = environment.secrets.filter((value) => !this.#learned.has(value));
    if (fresh.length > 0) this.#options.learnSecrets?.(fresh);
    for (const value of fresh) this.#learned.add(value);
    return environment;
  }

  async #stopped(run: CommandRun, process: StartedProcess, reason: StopReason, scope: CallScope): Promise<ShellOutcome> {
    const survivors = await run.end();
    const end = survivors.length === 0 ? await process.ended : { exitCode: undefined, signal: undefined };
    const outcome = run.report(end, reason === 'timeout', survivors);
    if (reason === 'timeout') return outcome;
    const { output, outputFile } = outcome;
    const isDeadline = scope.signal.reason instanceof Error && scope.signal.reason.name === 'TimeoutError';
    const rest = survivors.map(({ pid, command }) => ` Still running, because it cannot be ended: ${pid} (${command}).`).join('');
    throw new ToolError(isDeadline ? 'timeout' : 'interrupted', `The command was stopped before it had finished.${rest}`, {
      partialOutput: output,
      metadata: { outputFile, signal: end.signal, survivors },
    });
  }

  #takeResponsibility(): () => void {
    const reaping = setImmediate(() => reapAbandoned(this.#options.folder));
    const unregister = onHostExit(() => {
      for (const run of this.#runs) run.kill();
      this.#killMarked();
      this.#options.folder.dispose();
    });
    return () => {
      clearImmediate(reaping);
      unregister();
    };
  }

  #killMarked(): void {
    if (this.#owner !== undefined) killMarked((owner) => owner === this.#owner);
  }
}
