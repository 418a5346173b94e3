import type { Caller, CallScope } from '../core/context.js';
import { ToolError } from '../core/error.js';
import type { ToolEvent } from '../core/event.js';
import { shellNumbers } from '../core/fixed-limits.js';
import { defaultLimits, type Limits } from '../core/limits.js';
import type { ProcessSignal } from '../core/registry/toolkit-processes.js';
import { tell } from '../core/support/listeners.js';
import { didYouMean } from '../core/support/near-names.js';
import { answeredWithin, atLatest, systemTimers, type Timers } from '../core/support/timers.js';
import { escapeLine } from '../core/text/escape-for-people.js';
import type { Survivor } from '../ports/shell.js';
import {
  endedWithin,
  type StoppedTask,
  Task,
  type TaskEnd,
  type TaskNotification,
  type TaskRun,
  type TaskState,
  type TaskView,
} from './background-task.js';

/** Called when a task ends or waits for input, with the task's owner. */
export type TaskListener = (event: ToolEvent & { readonly type: 'task-update' }, owner: Caller | undefined) => void;

/** Options of {@link TaskManager}; the first three default to `defaultLimits`. */
export interface TaskManagerOptions {
  readonly limits: Limits['tasks'];
  /** Milliseconds that a stopped task may use to clean up. */
  readonly stopGraceMs: number;
  /** The maximum length of the text in memory for a task without a file. */
  readonly maxLogChars: number;
  /** Applied to labels before they are cut. Default: none. */
  readonly scrub?: ((text: string) => string) | undefined;
  /** Clock and timers, for tests. */
  readonly timers?: Timers | undefined;
}

const maxLabelChars = 200;
const defaults = {
  limits: defaultLimits.tasks,
  stopGraceMs: defaultLimits.bash.killGraceMs + defaultLimits.call.abortGraceMs,
  maxLogChars: defaultLimits.bash.maxFileBytes,
};

/**
 * Background jobs: commands and subagents. The manager does not handle processes itself; it stops a task by aborting
 * the task's signal. Ended tasks can be read until they are archived; each end is announced once to the subscribers and
 * kept for {@link drainNotifications}.
 */
export class TaskManager {
  readonly #options: TaskManagerOptions;
  readonly #timers: Timers;
  readonly #tasks = new Map<string, Task>();
  readonly #listeners = new Set<TaskListener>();
  #notifications: TaskNotification[] = [];

  constructor(options: Partial<TaskManagerOptions> = {}) {
    this.#options = { ...defaults, ...options };
    this.#timers = options.timers ?? systemTimers;
  }

  /** Starts a task, calls `run` at once, and returns its id. Throws `limit_reached` when too many tasks run. */
  start(label: string, run: (task: TaskRun) => Promise<TaskEnd | undefined | void>, owner?: Caller): string {
    this.#makeRoom();
    const text = escapeLine(this.#options.scrub?.(label) ?? label, maxLabelChars);
    const task = new Task(text, owner, this.#options.maxLogChars);
    this.#tasks.set(task.id, task);
    task.ended = this.#run(task, run);
    return task.id;
  }

  /**
   * Returns the state of a task and its output since the last read of `reader`; waits up to `waitMs` for its end.
   * Throws `task_not_found`, also for a task of another session, `interrupted` when the signal aborts, and `timeout`
   * when its output cannot be read in time.
   */
  async read(id: string, reader: string, waitMs: number, scope: CallScope): Promise<TaskView> {
    const task = this.#find(id, scope.caller);
    if (task.state === 'running' && waitMs > 0) await endedWithin(task.ended, waitMs, scope.signal, this.#timers);
    const unread = task.unread(reader);
    const output = await answeredWithin(unread, shellNumbers.settleGraceMs, this.#timers);
    if (output === undefined) {
      task.keepLate(reader, unread);
      throw silentOutput(task);
    }
    return { ...task.describe(), output };
  }

  /**
   * Stops a task and waits for its end; for an ended task, ends the processes it left running. Throws `task_not_found`,
   * also for a task of another session. The host program passes no `caller` and may stop any task.
   */
  async stop(id: string, caller?: Caller): Promise<StoppedTask> {
    const task = this.#find(id, caller);
    const wasRunning = task.state === 'running';
    const survivors = wasRunning ? await this.#stop(task) : await this.#endRest(task);
    return { ...task.describe(), wasRunning, survivors };
  }

  /** Sends a signal to a running local command; false for any other task. Throws `task_not_found`. */
  signal(id: string, signal: ProcessSignal, caller: Caller): boolean {
    const { state, output } = this.#find(id, caller);
    if (state !== 'running' || output?.signal === undefined) return false;
    output.signal(signal);
    return true;
  }

  /** Types into the terminal of a running task; false for any other task. Throws `task_not_found`. */
  type(id: string, text: string, caller: Caller): boolean {
    const { state, output } = this.#find(id, caller);
    if (state !== 'running' || output?.type === undefined) return false;
    output.type(text);
    return true;
  }

  /** All tasks that are not archived, oldest first; with a caller, only the tasks that the caller may see. */
  list(caller?: Caller): readonly TaskNotification[] {
    this.#archive();
    return [...this.#tasks.values()].filter((task) => task.isFor(caller)).map((task) => task.describe());
  }

  /** Ended tasks that this method has not returned yet. */
  drainNotifications(): readonly TaskNotification[] {
    const notifications = this.#notifications;
    this.#notifications = [];
    return notifications;
  }

  /** Calls `listener` whenever a task ends or waits for input. The returned function unsubscribes it. */
  subscribe(listener: TaskListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Stops the tasks of a session, waits for their end, and forgets them. */
  async endSession(sessionId: string): Promise<void> {
    const own = [...this.#tasks.values()].filter(({ owner }) => owner?.sessionId === sessionId);
    await Promise.allSettled(own.map((task) => (task.state === 'running' ? this.#stop(task) : this.#endRest(task))));
    for (const { id } of own) this.#tasks.delete(id);
    this.#notifications = this.#notifications.filter((news) => news.sessionId !== sessionId);
  }

  /** Stops all tasks and waits for their end. */
  async dispose(): Promise<void> {
    const running = [...this.#tasks.values()].filter((task) => task.state === 'running');
    await Promise.allSettled(running.map((task) => this.#stop(task)));
    this.#listeners.clear();
  }

  async #run(task: Task, run: (task: TaskRun) => Promise<TaskEnd | undefined | void>): Promise<void> {
    const given: TaskRun = {
      signal: task.abort.signal,
      write: (text) => task.log.write(text),
      attach: (output) => {
        task.output = output;
      },
      fallSilent: (waitsForInput) => this.#tell(task, { waitsForInput }),
      withdraw: () => this.#tasks.delete(task.id),
    };
    try {
      const end = (await run(given)) ?? {};
      this.#end(task, end.failed === true ? 'failed' : 'completed', end);
    } catch (thrown) {
      const { message } = ToolError.from(thrown);
      if (!task.abort.signal.aborted) task.log.write(message);
      this.#end(task, 'failed');
    }
  }

  #end(task: Task, state: Exclude<TaskState, 'running'>, { exitCode, signal }: TaskEnd = {}): void {
    if (task.state !== 'running') return;
    task.state = task.abort.signal.aborted ? 'stopped' : state;
    task.exitCode = exitCode;
    task.signal = signal;
    task.endedAt = this.#timers.now();
    if (this.#tasks.get(task.id) !== task) return;
    this.#notifications.push(task.describe());
    const { maxTasks } = this.#options.limits;
    if (this.#notifications.length > maxTasks) this.#notifications.shift();
    this.#tell(task);
  }

  #tell({ id: taskId, state, label, owner }: Task, facts: { readonly waitsForInput?: 'yes' | 'unknown' } = {}): void {
    for (const listener of this.#listeners)
      tell(listener, { type: 'task-update', taskId, state, label, ...facts }, owner);
  }

  async #stop(task: Task): Promise<readonly Survivor[]> {
    task.abort.abort();
    const ended = atLatest(task.ended, this.#options.stopGraceMs, this.#timers);
    const [rest] = await Promise.allSettled([this.#endRest(task), ended]);
    this.#end(task, 'stopped');
    if (rest.status === 'rejected') throw rest.reason;
    return rest.value;
  }

  /** Ends the processes that a task left running, within a time limit. */
  async #endRest(task: Task): Promise<readonly Survivor[]> {
    const ending = Promise.resolve(task.output?.end?.());
    const limitMs = this.#options.stopGraceMs + shellNumbers.settleGraceMs;
    return (await answeredWithin(ending, limitMs, this.#timers)) ?? [];
  }

  // Tasks of other sessions are reported like missing tasks.
  #find(id: string, caller: Caller | undefined): Task {
    this.#archive();
    const task = this.#tasks.get(id);
    if (task?.isFor(caller)) return task;
    const near = [...this.#tasks.values()].filter((other) => other.isFor(caller)).map((other) => other.id);
    const hint = didYouMean(id, near);
    throw new ToolError(
      'task_not_found',
      `There is no task ${JSON.stringify(id)}. It never existed, or it ended long ago.${hint || ' Use the id that was returned when the task was started.'}`,
    );
  }

  #archive(): void {
    const oldest = this.#timers.now() - this.#options.limits.archiveMs;
    for (const task of this.#tasks.values()) {
      if (task.endedAt !== undefined && task.endedAt <= oldest) this.#tasks.delete(task.id);
    }
  }

  #makeRoom(): void {
    this.#archive();
    if (this.#tasks.size < this.#options.limits.maxTasks) return;
    const ended = [...this.#tasks.values()].find((task) => task.state !== 'running');
    if (ended === undefined)
      throw new ToolError('limit_reached', `${this.#tasks.size} tasks are running. Stop one with TaskStop first.`);
    this.#tasks.delete(ended.id);
  }
}

function silentOutput({ id, output }: Task): ToolError {
  const place = output?.outputFile === undefined ? '' : ` It should be in ${output.outputFile}.`;
  return new ToolError(
    'timeout',
    `The output of task ${id} could not be read in time: the shell that keeps it does not answer.${place}`,
  );
}
