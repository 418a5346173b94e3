import type { OutputReader, Survivor } from '../../host/shell.js';

/** A task runs until it is completed, failed or stopped; from these no way leads on. */
export type TaskState = 'running' | 'completed' | 'failed' | 'stopped';

/** Where the output of a task can be read while it grows. */
export interface TaskOutput {
  readonly outputFile?: string;
  open(): OutputReader;
  /** Ends what the task started and left running; answers what cannot be ended. */
  end?(): Promise<readonly Survivor[]>;
}

/** What a running task is given. */
export interface TaskRun {
  /** Aborts when the task is stopped. */
  readonly signal: AbortSignal;
  /** Adds text to the output. */
  write(text: string): void;
  /** Says that the output is kept elsewhere. */
  attach(output: TaskOutput): void;
  /** Says that the task never began: it is forgotten, and nobody hears of its end. */
  withdraw(): void;
}

/** How a task says that it ended; nothing means completed. */
export interface TaskEnd {
  readonly failed?: boolean;
  readonly exitCode?: number | undefined;
  /** The signal that ended it, such as `SIGKILL`. */
  readonly signal?: string | undefined;
}

/** A task as a reader sees it. */
export interface TaskView {
  readonly taskId: string;
  /** One line with nothing hidden in it, cut where it is long. */
  readonly label: string;
  readonly state: TaskState;
  readonly exitCode: number | undefined;
  /** The signal that ended it, such as `SIGKILL`. */
  readonly signal: string | undefined;
  readonly outputFile: string | undefined;
  /** What came since this reader's last look. */
  readonly output: string;
}

/** The news that a task has ended. */
export interface TaskNotification extends Omit<TaskView, 'output'> {
  /** The session that started it; undefined where the program itself did. */
  readonly sessionId: string | undefined;
}
