import { randomBytes } from 'node:crypto';
import type { Caller } from '../core/context.js';
import { ToolError } from '../core/error.js';
import type { ProcessSignal, ReadProcess, StoppedProcess, ToolkitProcess } from '../core/registry/toolkit-processes.js';
import { withHandledRejection } from '../core/support/check-values.js';
import { stopWatch, type Timers } from '../core/support/timers.js';
import type { OutputReader, Survivor } from '../ports/shell.js';

/** A task runs until it is completed, failed or stopped; these states are final. */
export type TaskState = 'running' | 'completed' | 'failed' | 'stopped';

/** Access to the growing output of a task. */
export interface TaskOutput {
  readonly outputFile?: string;
  open(): OutputReader;
  /** Ends the processes that the task left running; returns those that cannot be ended. */
  end?(): Promise<readonly Survivor[]>;
  /** Sends a signal to everything the task started. */
  signal?(signal: ProcessSignal): void;
  /** Types text into the terminal of the task, if it has one. */
  type?(text: string): void;
}

/** Passed to the function that runs a task, for reporting output and events. */
export interface TaskRun {
  /** Aborts when the task is stopped. */
  readonly signal: AbortSignal;
  /** Adds text to the output. */
  write(text: string): void;
  /** Sets the output, if it is kept outside the task, such as in a file. */
  attach(output: TaskOutput): void;
  /** Reports that the task is silent, and whether it waits for input. */
  fallSilent(wait: 'yes' | 'unknown'): void;
  /** Withdraws a task that never started; its end is not announced. */
  withdraw(): void;
}

/** The end of a task. Unless `failed` is true, the task is completed. */
export interface TaskEnd {
  readonly failed?: boolean;
  readonly exitCode?: number | undefined;
  /** The signal that ended the task, such as `SIGKILL`. */
  readonly signal?: string | undefined;
}

/** The state of a task, and its output since the reader's last read. */
export type TaskView = ReadProcess;

/** The notification that a task has ended. */
export interface TaskNotification extends ToolkitProcess {
  /** The session that started the task; undefined for tasks of the host program. */
  readonly sessionId: string | undefined;
}

/** The result of stopping a task. */
export interface StoppedTask extends TaskNotification, StoppedProcess {}

/** The reader id of a caller's agent. */
export function readerOf({ sessionId, agentId = '' }: Caller): string {
  return `${sessionId}\n${agentId}`;
}

interface Reader {
  readonly log: OutputReader;
  output: OutputReader | undefined;
  /** A read whose caller stopped waiting. */
  late: Promise<string> | undefined;
}

/** A task, with the read position of each reader. */
export class Task {
  readonly id = `task_${randomBytes(4).toString('hex')}`;
  readonly label: string;
  readonly owner: Caller | undefined;
  readonly log: ReturnType<typeof outputLog>;
  readonly abort = new AbortController();
  readonly #readers = new Map<string, Reader>();
  state: TaskState = 'running';
  exitCode: number | undefined;
  signal: string | undefined;
  output: TaskOutput | undefined;
  endedAt: number | undefined;
  ended: Promise<void> = Promise.resolve();

  constructor(label: string, owner: Caller | undefined, maxLogChars: number) {
    this.label = label;
    this.owner = owner;
    this.log = outputLog(maxLogChars);
  }

  /** Tasks of a session are visible to its agents only, tasks of the host program to all. */
  isFor(caller: Caller | undefined): boolean {
    return this.owner === undefined || caller === undefined || this.owner.sessionId === caller.sessionId;
  }

  async unread(reader: string): Promise<string> {
    const own = this.#readers.get(reader) ?? { log: this.log.open(), output: undefined, late: undefined };
    this.#readers.set(reader, own);
    own.output ??= this.output?.open();
    const isComplete = this.state !== 'running';
    const { late } = own;
    own.late = undefined;
    const earlier = (await late?.catch(() => '')) ?? '';
    return earlier + ((await own.output?.read(isComplete)) ?? '') + (await own.log.read(isComplete));
  }

  /** Keeps a read that took too long for its caller; the next read of this reader returns its text first. */
  keepLate(reader: string, read: Promise<string>): void {
    const own = this.#readers.get(reader);
    if (own !== undefined) own.late = withHandledRejection(read);
  }

  describe(): TaskNotification {
    const { id, label, state, exitCode, signal, output, owner } = this;
    return { taskId: id, label, state, exitCode, signal, outputFile: output?.outputFile, sessionId: owner?.sessionId };
  }
}

/** Waits for `ended` up to `limitMs`. Rejects with `interrupted` when the signal aborts first. */
export async function endedWithin(
  ended: Promise<void>,
  limitMs: number,
  signal: AbortSignal,
  timers?: Timers,
): Promise<void> {
  const watch = stopWatch([signal], limitMs, timers);
  const end = await Promise.race([ended, watch.stopped]).finally(() => watch.clear());
  if (end === 'abort') throw new ToolError('interrupted', 'Waiting for the task was interrupted; the task goes on.');
}

/** Output of a task without a file. Beyond `maxChars` the oldest text is dropped, with a notice. */
export function outputLog(maxChars: number) {
  let kept = '';
  let dropped = 0;

  function write(text: string): void {
    kept += text;
    const excess = kept.length - maxChars;
    if (excess <= 0) return;
    kept = kept.slice(excess);
    dropped += excess;
  }

  function open(): OutputReader {
    let position = 0;
    return {
      read: () => {
        const missed = dropped - position;
        const fresh = kept.slice(Math.max(0, -missed));
        position = dropped + kept.length;
        return missed > 0 ? `[${missed} characters omitted]\n${fresh}` : fresh;
      },
    };
  }

  return { write, open };
}
