import { realpathSync } from 'node:fs';
import type { CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import { shellNumbers } from '../../core/fixed-limits.js';
import type { Limits } from '../../core/limits.js';
import type { LeftCommand } from '../../core/registry/toolkit-processes.js';
import { assertNeeded } from '../../core/support/check-values.js';
import { type StopReason, stopWatch, systemTimers, type Timers } from '../../core/support/timers.js';
import type { Sandbox, SandboxLaunch, SandboxProgram } from '../../ports/sandbox.js';
import type { Shell, ShellOutcome, ShellRequest } from '../../ports/shell.js';
import { keepReopenedOutput, OutputFiles, type OutputFilesOptions, reopensOutput } from '../output/files.js';
import { noScrubber } from '../output/view.js';
import { OutputWatch } from '../output/watch-size.js';
import {
  type ChildEnvironment,
  ChildEnvironments,
  markerName,
  markerValue,
  type Variables,
} from './child-environment.js';
import { CommandRun } from './command-run.js';
import { findShell, type ShellProgram } from './find-shell.js';
import { onHostExit } from './host-exit.js';
import { killMarked, reapAbandoned } from './kill-marked-processes.js';
import { ancestorsOf } from './process-table.js';
import { ProcessTree } from './process-tree.js';
import { type StartedProcess, startProcess, workingDirectory } from './start-process.js';
import type { Terminal } from './terminal.js';

export interface HostShellOptions extends OutputFilesOptions {
  /** Absolute folders that commands may run in; the first is the default. */
  readonly roots: readonly string[];
  /** Environment of all commands, added to the allowlisted variables. The value undefined removes a variable. */
  readonly env?: Variables | undefined;
  /** Where commands run. Default: on this machine. */
  readonly sandbox?: Sandbox | undefined;
  /** Clock and timers, for tests. */
  readonly timers?: Timers | undefined;
  /** Receives secret values of the environment. */
  readonly learnSecrets?: ((values: readonly string[]) => void) | undefined;
}

/** The number of processes that the message about a stopped command names; its metadata has all of them. */
const maxNamed = 5;

/** Loads the module on demand, because most hosts run no command on a terminal. */
async function openTerminal(): Promise<Terminal> {
  return await (await import('./terminal.js')).openTerminal();
}

/**
 * Runs commands as local processes, each in its own session with its output in a file. Background processes of a
 * command run until {@link endSession}, {@link dispose} or the end of this process.
 */
export class HostShell implements Shell {
  readonly #options: HostShellOptions;
  readonly #timers: Timers;
  readonly #watch: OutputWatch;
  readonly #files: OutputFiles;
  readonly #runs = new Set<CommandRun>();
  readonly #active = new Set<Promise<unknown>>();
  readonly #environments = new ChildEnvironments();
  readonly #learned = new Set<string>();
  readonly #disposal = new AbortController();
  #program: ShellProgram | undefined;
  #unregister: (() => void) | undefined;
  #ancestors: ReadonlySet<number> | undefined;
  #owner: string | undefined;
  #count = 0;

  constructor(options: HostShellOptions) {
    assertNeeded('HostShell', options, 'roots', 'folder', 'limits');
    this.#options = options;
    this.#timers = options.timers ?? systemTimers;
    this.#watch = new OutputWatch(options.limits.bash.progressMs, this.#timers);
    this.#files = new OutputFiles(options);
  }

  async run(request: ShellRequest, scope: CallScope): Promise<ShellOutcome> {
    const outcome = this.#run(request, scope);
    this.#active.add(outcome);
    try {
      return await outcome;
    } finally {
      this.#active.delete(outcome);
      setImmediate(() => this.#disposal.signal.aborted || this.#files.prepare());
    }
  }

  async #run(request: ShellRequest, scope: CallScope): Promise<ShellOutcome> {
    if (this.#disposal.signal.aborted)
      throw new ToolError('execution_failed', 'The toolkit was disposed; it runs no more commands.');
    checkRequest(request, scope, this.#options.limits.bash);
    const timeLimitMs = request.timeoutMs ?? this.#options.limits.bash.timeoutMs;
    const cwd = workingDirectory(request.cwd, this.#options.roots);
    const terminal = request.isInteractive === true ? await openTerminal() : undefined;
    const run = this.#open(request, scope, terminal);
    try {
      request.onStart?.({
        outputFile: run.outputFile,
        open: () => run.open(),
        end: () => run.end(),
        signal: (signal) => void run.signal(signal),
        ...(terminal !== undefined && { type: (text) => run.type(text) }),
      });
      const signals = [scope.signal, this.#disposal.signal];
      const process = await this.#start(request, cwd, run, signals, terminal);
      const stop = stopWatch(signals, timeLimitMs, this.#timers);
      try {
        const first = await Promise.race([process.ended, stop.stopped]);
        if (typeof first === 'string') return { ...(await this.#stopped(run, process, first, scope)), timeLimitMs };
        return {
          ...(await run.report(first, false, await run.settle(this.#options.sandbox?.endsWithCommand === true))),
          timeLimitMs,
        };
      } finally {
        stop.clear();
      }
    } catch (thrown) {
      // A run that was reported after an abort may have survivors, so it stays open.
      if (!run.isReported) run.close();
      throw thrown;
    }
  }

  /** Ended commands whose processes may still run, of one session or of all sessions. */
  leftCommands(sessionId?: string): readonly LeftCommand[] {
    return this.#runsOf(sessionId).filter((run) => run.isReported);
  }

  /** Ends all commands of a session and their surviving processes. */
  async endSession(sessionId: string): Promise<void> {
    await Promise.all(this.#runsOf(sessionId).map((run) => run.end()));
  }

  /** Ends every command and all surviving processes. Commands in progress fail with `interrupted`. */
  async dispose(): Promise<void> {
    this.#disposal.abort();
    await Promise.allSettled(this.#active);
    await Promise.all([...this.#runs].map((run) => run.end()));
    for (const run of this.#runs) run.close();
    this.#files.close();
    this.#killMarked();
    this.#unregister?.();
    this.#unregister = undefined;
  }

  #runsOf(sessionId: string | undefined): readonly CommandRun[] {
    return [...this.#runs].filter((run) => sessionId === undefined || run.sessionId === sessionId);
  }

  #open(request: ShellRequest, { caller }: CallScope, terminal: Terminal | undefined): CommandRun {
    const { maxFileBytes, maxProgressChars } = this.#options.limits.bash;
    this.#unregister ??= this.#registerCleanUp();
    const run: CommandRun = new CommandRun(this.#files.open(terminal), {
      sessionId: caller.sessionId,
      maxFileBytes,
      maxProgressChars,
      watch: this.#watch,
      timers: this.#timers,
      request,
      terminal,
      onGone: () => this.#runs.delete(run),
    });
    this.#runs.add(run);
    return run;
  }

  async #start(
    request: ShellRequest,
    cwd: string,
    run: CommandRun,
    signals: readonly AbortSignal[],
    terminal: Terminal | undefined,
  ): Promise<StartedProcess> {
    const { folder, limits, scrubber = noScrubber } = this.#options;
    const { owner } = folder;
    this.#owner = owner;
    const number = ++this.#count;
    const own = { PWD: cwd, [markerName]: markerValue(owner, number, process.env[markerName]) };
    const environment = this.#environments.make(process.env, this.#options.env, request.env, own);
    const { env, inherited } = environment;
    if (signals.some((signal) => signal.aborted)) throw new ToolError('cancelled', 'operation cancelled');
    const { command, files, isInteractive } = request;
    const launch = this.#launch({ command, cwd, env, inherited, owner, files, isInteractive });
    const program = { ...launch, cwd, ...run.output.descriptors };
    const started = terminal === undefined ? await startProcess(program) : await terminal.start(program);
    this.#ancestors ??= ancestorsOf(process.pid);
    const ancestors = this.#ancestors;
    const scrub = (text: string) => scrubber.text(text);
    const tree = { pid: started.pid, owner, run: number, outputFiles: run.output.paths, ancestors, scrub };
    const drainMs = reopensOutput(command) ? shellNumbers.pipeDrainMs : shellNumbers.drainMs;
    const members = new ProcessTree(tree, { ...limits.bash, ...shellNumbers, drainMs }, { timers: this.#timers });
    run.begin(members, launch);
    await this.#learnOrEnd(environment, run);
    return started;
  }

  #launch(program: Omit<SandboxProgram, 'roots'>): SandboxLaunch {
    const { sandbox, roots, separateOutput = false } = this.#options;
    if (sandbox !== undefined) return sandbox.launch({ ...program, roots: roots.map((root) => realpathSync(root)) });
    this.#program ??= findShell();
    const { file, isBash, argumentsFor } = this.#program;
    const { isInteractive = false } = program;
    return {
      file,
      arguments: argumentsFor(
        isBash && !isInteractive ? keepReopenedOutput(program.command, separateOutput) : program.command,
      ),
      env: program.env,
    };
  }

  // Passes the secrets of the environment to `learnSecrets` while the command starts, before its output is read.
  async #learnOrEnd(environment: ChildEnvironment, run: CommandRun): Promise<void> {
    try {
      const fresh = environment.secrets().filter((value) => !this.#learned.has(value));
      if (fresh.length > 0) this.#options.learnSecrets?.(fresh);
      for (const value of fresh) this.#learned.add(value);
    } catch (thrown) {
      await run.end();
      throw thrown;
    }
  }

  async #stopped(
    run: CommandRun,
    process: StartedProcess,
    reason: StopReason,
    scope: CallScope,
  ): Promise<ShellOutcome> {
    const survivors = await run.end();
    const end = survivors.length === 0 ? await process.ended : { exitCode: undefined, signal: undefined };
    const outcome = await run.report(end, reason === 'timeout', survivors);
    if (reason === 'timeout') return outcome;
    const { output, note: _, exitCode: __, ...facts } = outcome;
    const isDeadline = scope.signal.reason instanceof Error && scope.signal.reason.name === 'TimeoutError';
    const named = survivors.slice(0, maxNamed).map(({ pid, command }) => `${pid} (${command})`);
    const more = survivors.length > maxNamed ? ` and ${survivors.length - maxNamed} more` : '';
    const rest = named.length === 0 ? '' : ` Still running, because it cannot be ended: ${named.join(', ')}${more}.`;
    throw new ToolError(
      isDeadline ? 'timeout' : 'interrupted',
      `The command was stopped before it had finished.${rest}`,
      { partialOutput: output, metadata: facts },
    );
  }

  #registerCleanUp(): () => void {
    const { folder, sandbox } = this.#options;
    const reaping = setImmediate(() => reapAbandoned(folder, sandbox));
    const unregister = onHostExit(() => {
      for (const run of this.#runs) run.kill();
      this.#killMarked();
      folder.dispose();
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

/**
 * Throws `cancelled` after an abort. Throws `invalid_input` for a command with a NUL character or beyond the length
 * limits, and for an invalid time limit.
 */
function checkRequest(
  { command, timeoutMs }: ShellRequest,
  { signal }: CallScope,
  limits: Pick<Limits['bash'], 'maxCommandChars'>,
): void {
  if (signal.aborted) throw new ToolError('cancelled', 'operation cancelled');
  if (command.includes('\0'))
    throw new ToolError(
      'invalid_input',
      'The command contains a NUL character, which no command line can carry. Remove it.',
    );
  if (Buffer.byteLength(command) > shellNumbers.maxCommandBytes || command.length > limits.maxCommandChars) {
    throw new ToolError(
      'invalid_input',
      'The command is too long for one command line. Write it to a file and run that file.',
    );
  }
  if (timeoutMs !== undefined && !(timeoutMs > 0)) {
    throw new ToolError('invalid_input', `timeout must be a positive number of milliseconds, not ${timeoutMs}.`);
  }
}
