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
import { endedWithin, readerOf } from '../../sessions/background-task.js';

/** A running process, and the command that left it running. */
interface LeftProcess {
  readonly command: LeftCommand;
  readonly view: ToolkitProcess;
}

type OutputReader = ReturnType<LeftCommand['open']>;

/** The tasks and leftover processes of a session as one list. An unknown id fails with `task_not_found`. */
export function sessionProcesses(toolkit: Pick<Toolkit, 'leftCommands' | 'tasks'>) {
  const { tasks } = toolkit;
  const readers = new WeakMap<LeftCommand, Map<string, OutputReader>>();

  const left = ({ sessionId }: Caller): readonly LeftProcess[] =>
    toolkit.leftCommands(sessionId).flatMap((command) =>
      command.leftovers().map(({ pid, command: label, outputFile }) => {
        const view = { taskId: `${pid}`, label, exitCode: undefined, signal: undefined, outputFile };
        return { command, view: { ...view, state: 'running' } };
      }),
    );

  // Task ids are not numbers, so only a number needs a scan of all left processes.
  const find = (id: string, caller: Caller): LeftProcess | undefined =>
    /^\d+$/.test(id) ? left(caller).find(({ view }) => view.taskId === id) : undefined;

  const readerFor = (command: LeftCommand, name: string): OutputReader => {
    const known = readers.get(command) ?? new Map<string, OutputReader>();
    readers.set(command, known);
    const reader = known.get(name) ?? command.open();
    known.set(name, reader);
    return reader;
  };

  return {
    /** Lists tasks first. */
    list: (caller: Caller): readonly ToolkitProcess[] => [
      ...tasks.list(caller),
      ...left(caller).map(({ view }) => view),
    ],

    /** Waits up to `waitMs` for the process to end, then reads the new output. */
    async read(id: string, waitMs: number, scope: CallScope): Promise<ReadProcess> {
      const reader = readerOf(scope.caller);
      const found = find(id, scope.caller);
      if (found === undefined) return await tasks.read(id, reader, waitMs, scope);
      const { command, view } = found;
      if (waitMs > 0) await endedWithin(command.gone, waitMs, scope.signal);
      const isGone = find(id, scope.caller) === undefined;
      const output = await readerFor(command, reader).read(isGone);
      return { ...view, state: isGone ? 'completed' : 'running', output };
    },

    /** Signals a task and all processes that it started, or one left process. */
    signal(id: string, signal: ProcessSignal, caller: Caller): void {
      const found = find(id, caller);
      const isSent = found === undefined ? tasks.signal(id, signal, caller) : found.command.signal(signal, Number(id));
      if (!isSent)
        throw refused(`${id} cannot receive a signal: it has ended, or it is not a command that runs on this machine.`);
    },

    /** Types into the terminal of a task. */
    type(id: string, text: string, caller: Caller): void {
      const isTyped = find(id, caller) === undefined && tasks.type(id, text, caller);
      if (!isTyped) throw refused(`${id} cannot be typed into: it has ended, or was not started as interactive.`);
    },

    /** Stops a task; for a left process, stops all processes that its command left running. */
    async stop(id: string, caller: Caller): Promise<StoppedProcess> {
      const found = find(id, caller);
      if (found === undefined) return await tasks.stop(id, caller);
      return { ...found.view, state: 'stopped', wasRunning: true, survivors: await found.command.end() };
    },
  };
}

function refused(why: string): ToolError {
  return new ToolError('invalid_input', `${why} See its state with the action list.`);
}
