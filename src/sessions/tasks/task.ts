import { randomBytes } from 'node:crypto';
import type { Caller } from '../../core/context.js';
import type {
  ProcessSignal,
  ReadProcess,
  StoppedProcess,
  ToolkitProcess,
} from '../../core/registry/toolkit-processes.js';
import type { OutputReader, Survivor } from '../../ports/shell.js';
import { TaskLog } from './log.js';

/** A task runs until it is completed, failed or stopped; from these no way leads on. */
export type TaskState = 'running' | 'completed' | 'failed' | 'stopped';

/** Where the output of a task can be read while it grows. */
export interface TaskOutput {
  readonly outputFile?: string;
  open(): OutputReader;
  /** Ends what the task started and left running; answers what cannot be ended. */
  end?(): Promise<readonly Survivor[]>;
  /** Sends a signal to everything the task started. */
  signal?(signal: ProcessSignal): void;
  /** Types a text into the terminal of the task; only where it has one. */
  type?(text: string): void;
}

/** What a running task is given. */
export interface TaskRun {
  /** Aborts when the task is stopped. */
  readonly signal: AbortSignal;
  /** Adds text to the output. */
  write(text: string): void;
  /** Says that the output is kept elsewhere. */
  attach(output: TaskOutput): void;
  /** Says that the task is silent, and whether it waits for input. */
  fallSilent(wait: 'yes' | 'unknown'): void;
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
export type TaskView = ReadProcess;

/** The news that a task has ended. */
export interface TaskNotification extends ToolkitProcess {
  /** The session that started it; undefined where the program itself did. */
  readonly sessionId: string | undefined;
}

/** What came of stopping a task. */
export interface StoppedTask extends TaskNotification, StoppedProcess {}

/** Which reader the agent of a caller is. */
export function readerOf({ sessionId, agentId = '' }: Caller): string {
  return `${sessionId}\n${agentId}`;
}

/** A task and what its readers have not seen yet. */
export class Task {
  readonly id = `task_${randomBytes(4).toString('hex')}`;
  readonly label: string;
  readonly owner: Caller | undefined;
  readonly log: TaskLog;
  readonly abort = new AbortController();
  readonly #readers = new Map<string, { readonly log: OutputReader; output: OutputReader | undefined }>();
  state: TaskState = 'running';
  exitCode: number | undefined;
  signal: string | undefined;
  output: TaskOutput | undefined;
  endedAt: number | undefined;
  ended: Promise<void> = Promise.resolve();

  constructor(label: string, owner: Caller | undefined, maxLogChars: number) {
    this.label = label;
    this.owner = owner;
    this.log = new TaskLog(maxLogChars);
  }

  /** What one session started is for its agents alone, what the program started for everybody. */
  isFor(caller: Caller | undefined): boolean {
    return this.owner === undefined || caller === undefined || this.owner.sessionId === caller.sessionId;
  }

  /** What was put out since this reader last asked. */
  async unread(reader: string): Promise<string> {
    const readers = this.#readers.get(reader) ?? { log: this.log.open(), output: undefined };
    this.#readers.set(reader, readers);
    readers.output ??= this.output?.open();
    const isComplete = this.state !== 'running';
    return ((await readers.output?.read(isComplete)) ?? '') + (await readers.log.read(isComplete));
  }

  describe(): TaskNotification {
    const { id, label, state, exitCode, signal, output, owner } = this;
    return { taskId: id, label, state, exitCode, signal, outputFile: output?.outputFile, sessionId: owner?.sessionId };
  }
}
