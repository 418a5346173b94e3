import type { Caller, CallScope } from '../context.js';

/** A signal that may be sent to a program. */
export type ProcessSignal = 'SIGHUP' | 'SIGINT' | 'SIGKILL' | 'SIGTERM';

/** A background task, or a leftover process of a command. */
export interface ToolkitProcess {
  /** The id of the task, or the number of the process. */
  readonly taskId: string;
  /** The command line or another label of the task: one escaped line, cut if it is long. */
  readonly label: string;
  readonly state: 'running' | 'completed' | 'failed' | 'stopped';
  readonly exitCode: number | undefined;
  /** The signal that ended the process, such as `SIGKILL`. */
  readonly signal: string | undefined;
  /** Absolute path of the file with the output of the process. */
  readonly outputFile: string | undefined;
}

/** A process with its new output. */
export interface ReadProcess extends ToolkitProcess {
  /** Output since this reader's last read. */
  readonly output: string;
}

/** A stopped process. */
export interface StoppedProcess extends ToolkitProcess {
  readonly wasRunning: boolean;
  /** Processes that the task started and that could not be ended. */
  readonly survivors: readonly Pick<Leftover, 'pid' | 'command'>[];
}

/** The background tasks of a toolkit. Each method fails with `task_not_found` for a task of another session. */
export interface ToolkitTasks {
  /** The tasks that a caller may see and that are not archived, oldest first. */
  list(caller: Caller): readonly ToolkitProcess[];
  /**
   * The state of a task and its output since the last read of `reader`, after waiting up to `waitMs` for its end. Can
   * also reject with `interrupted` or `timeout`.
   */
  read(id: string, reader: string, waitMs: number, scope: CallScope): Promise<ReadProcess>;
  /**
   * Sends a signal to all processes of a task; false for a task that is not running or is not a command on this
   * machine.
   */
  signal(id: string, signal: ProcessSignal, caller: Caller): boolean;
  /** Types a text into the terminal of a task; false for a task that is not running or has no terminal. */
  type(id: string, text: string, caller: Caller): boolean;
  /** Stops a task and all its processes, and waits for their end. */
  stop(id: string, caller: Caller): Promise<StoppedProcess>;
}

/** A command that has returned and left processes running. */
export interface LeftCommand {
  /** Resolves when all processes of the command have ended. */
  readonly gone: Promise<void>;
  /** The running processes of the command. */
  leftovers(): readonly Leftover[];
  /**
   * Opens the output of the command at its beginning. Each `read` returns the new text, plain, scrubbed and limited in
   * length.
   */
  open(): { read(isComplete: boolean): Promise<string> | string };
  /** Sends a signal to one process of the command; false if that process has ended. */
  signal(signal: ProcessSignal, pid: number): boolean;
  /** Ends the processes of the command and resolves with the processes that cannot be ended. */
  end(): Promise<readonly Pick<Leftover, 'pid' | 'command'>[]>;
}

/** A process that a command left running. */
export interface Leftover {
  readonly pid: number;
  /** The command line of the process. */
  readonly command: string;
  /** Absolute path of the file with the output of the process. */
  readonly outputFile: string;
}
