import type { Caller, CallScope } from '../context.js';
import type { Leftover } from './leftover.js';

/** A signal that a program may be sent. */
export type ProcessSignal = 'SIGHUP' | 'SIGINT' | 'SIGKILL' | 'SIGTERM';

/** A background task, or a process that a command left running. */
export interface ToolkitProcess {
  /** The id of the task, or the number of the process. */
  readonly taskId: string;
  /** The command line, or what else the task was named: one line with nothing hidden in it, cut where it is long. */
  readonly label: string;
  readonly state: 'running' | 'completed' | 'failed' | 'stopped';
  readonly exitCode: number | undefined;
  /** The signal that ended it, such as `SIGKILL`. */
  readonly signal: string | undefined;
  /** Absolute path of the file that takes its output. */
  readonly outputFile: string | undefined;
}

/** One that was looked at. */
export interface ReadProcess extends ToolkitProcess {
  /** What came since this reader's last look. */
  readonly output: string;
}

/** One that was stopped. */
export interface StoppedProcess extends ToolkitProcess {
  readonly wasRunning: boolean;
  /** What it started and could not be ended. */
  readonly survivors: readonly Pick<Leftover, 'pid' | 'command'>[];
}

/** The background tasks of a toolkit. A task of another session is `task_not_found` everywhere. */
export interface ToolkitTasks {
  /** Those that a caller may look at, oldest first, until they are archived. */
  list(caller: Caller): readonly ToolkitProcess[];
  /**
   * How a task stands, and what it has put out since `reader` last looked; waits up to `waitMs` for its end. Rejects
   * with `interrupted` and `timeout` too.
   */
  read(id: string, reader: string, waitMs: number, scope: CallScope): Promise<ReadProcess>;
  /** Sends a signal to everything that a task started; false where it is not running, or no command of this machine. */
  signal(id: string, signal: ProcessSignal, caller: Caller): boolean;
  /** Types a text into the terminal of a task; false where it is not running, or has none. */
  type(id: string, text: string, caller: Caller): boolean;
  /** Stops a task with everything it started, and waits until that is gone. */
  stop(id: string, caller: Caller): Promise<StoppedProcess>;
}

/** A command that has answered and left something running. */
export interface LeftCommand {
  /** Resolves when nothing of it lives any more. */
  readonly gone: Promise<void>;
  /** What lives now. */
  leftovers(): readonly Leftover[];
  /** Reads its output from the beginning on: each `read` gives what is new, plain, scrubbed and bounded. */
  open(): { read(isComplete: boolean): Promise<string> | string };
  /** Sends a signal to one of its processes; false where that is gone. */
  signal(signal: ProcessSignal, pid: number): boolean;
  /** Ends what lives; answers what cannot be ended. */
  end(): Promise<readonly Pick<Leftover, 'pid' | 'command'>[]>;
}
