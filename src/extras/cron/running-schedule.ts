import { randomUUID } from 'node:crypto';
import type { CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import { assertOptions, kindOf, type OptionKinds, timersKind } from '../../core/support/check-values.js';
import { tell } from '../../core/support/listeners.js';
import { systemTimers, type Timers } from '../../core/support/timer.js';
import { askHost } from '../../ports/ask-host.js';
import {
  ended,
  iso,
  type JobOwner,
  type JobStore,
  type RunEnd,
  renewed,
  started,
  startedDue,
  switched,
  withJob,
} from './job-changes.js';
import type { JobBook, NewJob, Schedule, ScheduledJob } from './schedule-port.js';
import { assertTimeZone } from './schedule-times.js';

/** Options of a schedule. */
export interface ScheduleOptions {
  /**
   * Runs a job that is due. The caller of its scope is the session and owner of the job; its signal aborts after
   * `maxRunMs` and at `dispose`. The run fails if the promise rejects.
   */
  readonly onDue: (job: ScheduledJob, scope: CallScope) => Promise<unknown> | unknown;
  /** Time zone of schedules that name no time zone. Default: that of this machine. */
  readonly timeZone?: string | undefined;
  /** Time limit of a run in milliseconds. Default 3,600,000, an hour. */
  readonly maxRunMs?: number | undefined;
  /** Called with the first of consecutive failures of the job store. Default: `process.emitWarning`. */
  readonly onError?: ((error: ToolError) => void) | undefined;
  /** Timers, for tests. */
  readonly timers?: Timers | undefined;
}

/** A running schedule, which keeps the process alive until the schedule is disposed. */
export interface RunningSchedule extends Schedule, AsyncDisposable {
  /** Starts no more runs, aborts the signals of active runs, and records these runs as interrupted. */
  dispose(): Promise<void>;
}

const optionKinds: OptionKinds<ScheduleOptions> = {
  onDue: kindOf.callback,
  timeZone: kindOf.text,
  maxRunMs: kindOf.milliseconds,
  onError: kindOf.callback,
  timers: timersKind,
};
/** The longest time until this process notices a job that another process added. */
const usualPollMs = 30_000;
const shortestWaitMs = 20;
const renewMs = 20_000;
const maxErrorChars = 500;

/** Throws a TypeError for invalid options, also for an unknown time zone. */
export function assertScheduleOptions(
  factory: string,
  options: ScheduleOptions,
  further: Parameters<typeof assertOptions>[2] = {},
): void {
  assertOptions(factory, options, { ...optionKinds, ...further }, 'onDue');
  try {
    if (options.timeZone !== undefined) assertTimeZone(options.timeZone);
  } catch (thrown) {
    throw new TypeError(`${factory}: ${ToolError.from(thrown).message.replace('schedule', 'timeZone')}`);
  }
}

interface Run {
  readonly owner: JobOwner;
  readonly job: ScheduledJob;
  readonly control: AbortController;
  end: Promise<void>;
}

/** Runs the due jobs of a store in this process, except those that another process runs. */
export class StoredSchedule implements RunningSchedule {
  readonly #store: JobStore;
  readonly #options: ScheduleOptions;
  readonly #timers: Timers;
  readonly #pollMs: number;
  readonly #holder = randomUUID();
  readonly #runs = new Set<Run>();
  #isDisposed = false;
  #isDue = false;
  #isFailing = false;
  #claiming: Promise<void> | undefined;
  #waking: unknown;
  #renewing: unknown;

  constructor(store: JobStore, options: ScheduleOptions, pollMs = usualPollMs) {
    this.#store = store;
    this.#options = options;
    this.#timers = options.timers ?? systemTimers;
    this.#pollMs = pollMs;
    this.#wake();
  }

  async add({ name, schedule, prompt, session }: NewJob, scope: CallScope): Promise<ScheduledJob> {
    const { timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone } = this.#options;
    const id = randomUUID().slice(0, 8);
    const fixed = { id, name, schedule, timeZone, prompt, session, isEnabled: true, failures: 0 };
    return await this.#changed(scope, (book, now) => withJob(book, { ...fixed, createdAt: iso(now) }, now));
  }

  list({ caller }: CallScope): Promise<JobBook> {
    return this.#store.read(ownerOf(caller));
  }

  remove(id: string, scope: CallScope): Promise<boolean> {
    return this.#changed(scope, (book) => {
      const jobs = book.jobs.filter((job) => job.id !== id);
      return [{ ...book, jobs }, jobs.length < book.jobs.length];
    });
  }

  async run(id: string, scope: CallScope): Promise<ScheduledJob | undefined> {
    const job = await this.#changed(scope, (book, now) => started(book, id, this.#holder, now));
    if (job !== undefined) this.#begin(ownerOf(scope.caller), job);
    return job;
  }

  setEnabled(id: string, isEnabled: boolean, scope: CallScope): Promise<ScheduledJob | undefined> {
    return this.#changed(scope, (book, now) => switched(book, id, isEnabled, now));
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    await this.#claiming;
    this.#timers.clear(this.#waking);
    this.#timers.clear(this.#renewing);
    const runs = [...this.#runs];
    for (const { control } of runs) control.abort();
    await Promise.all(runs.map(({ end }) => end));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  async #changed<Result>(
    { caller }: CallScope,
    change: (book: JobBook, now: number) => readonly [JobBook, Result],
  ): Promise<Result> {
    if (this.#isDisposed) throw new ToolError('cancelled', 'The schedule was disposed. Tell the user.');
    const result = await this.#store.change(ownerOf(caller), change);
    this.#wake();
    return result;
  }

  readonly #wake = (): void => {
    this.#isDue = true;
    if (this.#isDisposed) return;
    this.#claiming ??= this.#claim().finally(() => {
      this.#claiming = undefined;
      // Handles a request that came while the claim ended.
      if (this.#isDue) this.#wake();
    });
  };

  async #claim(): Promise<void> {
    let waitMs: number | undefined;
    while (this.#isDue && !this.#isDisposed) {
      this.#isDue = false;
      const begun: (readonly [JobOwner, ScheduledJob])[] = [];
      try {
        waitMs = await this.#store.changeDue((book, owner, now) => {
          const [next, jobs] = startedDue(book, this.#holder, now);
          for (const job of jobs) begun.push([owner, job]);
          return next;
        });
        this.#isFailing = false;
        for (const [owner, job] of begun) this.#begin(owner, job);
      } catch (thrown) {
        waitMs = undefined;
        this.#tell(thrown);
      }
    }
    this.#timers.clear(this.#waking);
    if (this.#isDisposed) return;
    this.#waking = this.#timers.set(
      this.#wake,
      Math.max(shortestWaitMs, Math.min(waitMs ?? this.#pollMs, this.#pollMs)),
    );
  }

  #begin(owner: JobOwner, job: ScheduledJob): void {
    const control = new AbortController();
    const run: Run = { owner, job, control, end: Promise.resolve() };
    if (this.#runs.size === 0) this.#renewLater();
    this.#runs.add(run);
    // The schedule may have been disposed in the meantime.
    if (this.#isDisposed) control.abort();
    run.end = this.#perform(run);
  }

  async #perform(run: Run): Promise<void> {
    const { owner, job, control } = run;
    const beganMs = this.#timers.now();
    const end = await this.#endOf(run);
    const durationMs = Math.round(this.#timers.now() - beganMs);
    try {
      await this.#store.change(owner, (book, now) => [ended(book, job, { ...end, durationMs }, now), undefined]);
    } catch (thrown) {
      this.#tell(thrown);
    }
    this.#runs.delete(run);
    if (this.#runs.size === 0) this.#timers.clear(this.#renewing);
    if (!control.signal.aborted) this.#wake();
  }

  async #endOf({ owner, job, control: { signal } }: Run): Promise<Omit<RunEnd, 'durationMs'>> {
    const { onDue, maxRunMs = 3_600_000 } = this.#options;
    const late = `It did not end within ${maxRunMs} ms`;
    const asked = { port: 'onDue', timeoutMs: maxRunMs, late, timers: this.#timers };
    const caller = { sessionId: job.session, ...owner };
    let failure: unknown;
    try {
      if (!signal.aborted)
        await askHost(asked, { caller, signal }, async (scope) => {
          try {
            await onDue(job, scope);
          } catch (thrown) {
            failure = thrown;
            throw thrown;
          }
        });
    } catch (thrown) {
      failure ??= thrown;
    }
    if (signal.aborted) return { state: 'interrupted' };
    if (failure === undefined) return { state: 'ok' };
    const { scrubCredentials } = await import('../../secrets/scrubber.js');
    return { state: 'failed', error: scrubCredentials(ToolError.from(failure).message).slice(0, maxErrorChars) };
  }

  #renewLater(): void {
    this.#renewing = this.#timers.set(() => void this.#renew(), renewMs);
  }

  async #renew(): Promise<void> {
    for (const { owner, job, control } of [...this.#runs]) {
      try {
        await this.#store.change(owner, (book, now) => {
          const known = book.jobs.find(({ id }) => id === job.id);
          // Another process marked the run as lost.
          if (known !== undefined && known.running?.by !== this.#holder) control.abort();
          return [renewed(book, this.#holder, now), undefined];
        });
      } catch (thrown) {
        this.#tell(thrown);
      }
    }
    if (this.#runs.size > 0 && !this.#isDisposed) this.#renewLater();
  }

  #tell(thrown: unknown): void {
    const { onError = (error) => process.emitWarning(error.message, { code: 'TOOLWRIGHT_CRON' }) } = this.#options;
    if (!this.#isFailing) tell(onError, ToolError.from(thrown));
    this.#isFailing = true;
  }
}

function ownerOf({ agentId, userId }: CallScope['caller']): JobOwner {
  return { ...(agentId === undefined ? {} : { agentId }), ...(userId === undefined ? {} : { userId }) };
}
