import type { Caller, CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import type { Toolkit } from '../../core/registry/toolkit.js';
import type {
  LeftCommand,
  ProcessSignal,
  ReadProcess,
  StoppedProcess,
  ToolkitProcess,
} from '../../core/registry/toolkit-processes.js';
import { endedWithin, readerOf } from '../../sessions/task.js';

/** A running process, and the command that left it running. */
interface LeftProcess {
  readonly command: LeftCommand;
  readonly view: ToolkitProcess;
}

type OutputReader = ReturnType<LeftCommand['open']>;

/**
 * The tasks of a session and the processes that its commands left running, as one list. Any other id fails with
 * `task_not_found`.
 */
export class SessionProcesses {
  readonly #toolkit: Pick<Toolkit, 'leftCommands' | 'tasks'>;
  readonly #readers = new WeakMap<LeftCommand, Map<string, OutputReader>>();

  constructor(toolkit: Pick<Toolkit, 'leftCommands' | 'tasks'>) {
    this.#toolkit = toolkit;
  }

  /** Lists tasks first. */
  list(caller: Caller): readonly ToolkitProcess[] {
    return [...this.#toolkit.tasks.list(caller), ...this.#left(caller).map(({ view }) => view)];
  }

  /** Waits up to `waitMs` for the end, then reads the new output. */
  async read(id: string, waitMs: number, scope: CallScope): Promise<ReadProcess> {
    const reader = readerOf(scope.caller);
    const left = this.#find(id, scope.caller);
    if (left === undefined) return await this.#toolkit.tasks.read(id, reader, waitMs, scope);
    const { command, view } = left;
    if (waitMs > 0) await endedWithin(command.gone, waitMs, scope.signal);
    const isGone = this.#find(id, scope.caller) === undefined;
    const output = await this.#reader(command, reader).read(isGone);
    return { ...view, state: isGone ? 'completed' : 'running', output };
  }

  /** Signals a task with all processes that it started, or a single left process. */
  signal(id: string, signal: ProcessSignal, caller: Caller): void {
    const left = this.#find(id, caller);
    const isSent =
      left === undefined ? this.#toolkit.tasks.signal(id, signal, caller) : left.command.signal(signal, Number(id));
    if (isSent) return;
    throw new ToolError(
      'invalid_input',
      `${id} takes no signal: it has ended, or it is not a command of this machine. See its state with the action list.`,
    );
  }

  /** Types into the terminal of a task. */
  type(id: string, text: string, caller: Caller): void {
    const isTyped = this.#find(id, caller) === undefined && this.#toolkit.tasks.type(id, text, caller);
    if (isTyped) return;
    throw new ToolError(
      'invalid_input',
      `${id} cannot be typed into: it has ended, or was not started as interactive. See its state with the action list.`,
    );
  }

  /** Stops a task; for a left process, stops all processes that its command left running. */
  async stop(id: string, caller: Caller): Promise<StoppedProcess> {
    const left = this.#find(id, caller);
    if (left === undefined) return await this.#toolkit.tasks.stop(id, caller);
    const survivors = await left.command.end();
    return { ...left.view, state: 'stopped', wasRunning: true, survivors };
  }

  #left({ sessionId }: Caller): readonly LeftProcess[] {
    return this.#toolkit.leftCommands(sessionId).flatMap((command) =>
      command.leftovers().map(({ pid, command: label, outputFile }) => {
        const state = 'running' as const;
        return {
          command,
          view: { taskId: `${pid}`, label, state, exitCode: undefined, signal: undefined, outputFile },
        };
      }),
    );
  }

  #find(id: string, caller: Caller): LeftProcess | undefined {
    // Ids of tasks are not numbers, so a task needs no scan of all processes.
    return /^\d+$/.test(id) ? this.#left(caller).find(({ view }) => view.taskId === id) : undefined;
  }

  #reader(command: LeftCommand, name: string): OutputReader {
    const readers = this.#readers.get(command) ?? new Map<string, OutputReader>();
    this.#readers.set(command, readers);
    const reader = readers.get(name) ?? command.open();
    readers.set(name, reader);
    return reader;
  }
}
