import { randomUUID } from 'node:crypto';
import type { CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import { assertOptions, kindOf, type OptionKinds, timersKind } from '../../core/support/check-values.js';
import { tell } from '../../core/support/listeners.js';
import { systemTimers, type Timers } from '../../core/support/timers.js';
import { askHost } from '../../ports/ask-host.js';
import {
  ended,
  iso,
  isSameRun,
  type JobOwner,
  type JobStore,
  jobOwner,
  type RunEnd,
  renewed,
  started,
  startedDue,
  switched,
  withJob,
} from './job-state.js';
import type { JobBook, Schedule, ScheduledJob } from './schedule.js';
import { assertTimeZone } from './schedule-times.js';

/** Options of a schedule. */
export interface ScheduleOptions {
  /**
   * Runs a job that is due. `scope.caller` is the session and owner of the job; `scope.signal` aborts after `maxRunMs`
   * and at `dispose`. The run fails if the promise rejects.
   */
  readonly onDue: (job: ScheduledJob, scope: CallScope) => Promise<unknown> | unknown;
  /** Time zone of schedules that name no time zone. Default: the time zone of this machine. */
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
export function storedSchedule(store: JobStore, options: ScheduleOptions, pollMs = usualPollMs): RunningSchedule {
  const { onDue, maxRunMs = 3_600_000, timers = systemTimers } = options;
  const { timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone } = options;
  const { onError = (error) => process.emitWarning(error.message, { code: 'TOOLWRIGHT_CRON' }) } = options;
  const holder = randomUUID();
  const runs = new Set<Run>();
  let isDisposed = false;
  let isDue = false;
  let isFailing = false;
  let claiming: Promise<void> | undefined;
  let waking: unknown;
  let renewing: unknown;

  const report = (thrown: unknown): void => {
    if (!isFailing) tell(onError, ToolError.from(thrown));
    isFailing = true;
  };

  const wake = (): void => {
    isDue = true;
    if (isDisposed) return;
    claiming ??= claim().finally(() => {
      claiming = undefined;
      // `wake` was called while the claim ended.
      if (isDue) wake();
    });
  };

  const claim = async (): Promise<void> => {
    let waitMs: number | undefined;
    while (isDue && !isDisposed) {
      isDue = false;
      const begun: (readonly [JobOwner, ScheduledJob])[] = [];
      try {
        waitMs = await store.changeDue((book, owner, now) => {
          const [next, jobs] = startedDue(book, holder, now);
          for (const job of jobs) begun.push([owner, job]);
          return next;
        });
        isFailing = false;
        for (const [owner, job] of begun) begin(owner, job);
      } catch (thrown) {
        waitMs = undefined;
        report(thrown);
      }
    }
    timers.clear(waking);
    if (!isDisposed) waking = timers.set(wake, Math.max(shortestWaitMs, Math.min(waitMs ?? pollMs, pollMs)));
  };

  const begin = (owner: JobOwner, job: ScheduledJob): void => {
    const control = new AbortController();
    const run: Run = { owner, job, control, end: Promise.resolve() };
    if (runs.size === 0) renewLater();
    runs.add(run);
    // The schedule may have been disposed in the meantime.
    if (isDisposed) control.abort();
    run.end = perform(run);
  };

  const perform = async (run: Run): Promise<void> => {
    const { owner, job, control } = run;
    const beganMs = timers.now();
    const end = await endOf(run);
    const durationMs = Math.round(timers.now() - beganMs);
    try {
      await store.change(owner, (book, now) => [ended(book, job, { ...end, durationMs }, now), undefined]);
    } catch (thrown) {
      report(thrown);
    }
    runs.delete(run);
    if (runs.size === 0) timers.clear(renewing);
    if (!control.signal.aborted) wake();
  };

  const endOf = async ({ owner, job, control: { signal } }: Run): Promise<Omit<RunEnd, 'durationMs'>> => {
    const asked = { port: 'onDue', timeoutMs: maxRunMs, late: `It did not end within ${maxRunMs} ms`, timers };
    const failed = (thrown: unknown) => ({ thrown });
    // A rejection of `onDue` becomes an answer, because `askHost` would reword the message that is recorded.
    const run = async (scope: CallScope) => await (async () => void (await onDue(job, scope)))().catch(failed);
    const scope = { caller: { sessionId: job.session, ...owner }, signal };
    const failure = signal.aborted ? undefined : await askHost(asked, scope, run).catch(failed);
    if (signal.aborted) return { state: 'interrupted' };
    if (failure === undefined) return { state: 'ok' };
    const { scrubCredentials } = await import('../../secrets/scrubber.js');
    const { message } = ToolError.from(failure.thrown);
    return { state: 'failed', error: scrubCredentials(message).slice(0, maxErrorChars) };
  };

  const renewLater = (): void => {
    // A run may have begun while an earlier renewal waited for the store.
    timers.clear(renewing);
    renewing = timers.set(() => void renew(), renewMs);
  };

  const renew = async (): Promise<void> => {
    for (const { owner, job, control } of [...runs]) {
      try {
        await store.change(owner, (book, now) => {
          const known = book.jobs.find(({ id }) => id === job.id);
          // Another process marked the run as lost.
          if (known !== undefined && !isSameRun(known, job)) control.abort();
          return [renewed(book, job, now), undefined];
        });
      } catch (thrown) {
        report(thrown);
      }
    }
    if (runs.size > 0 && !isDisposed) renewLater();
  };

  const changed = async <Result>(
    { caller }: CallScope,
    change: (book: JobBook, now: number) => readonly [JobBook, Result],
  ): Promise<Result> => {
    if (isDisposed) throw new ToolError('cancelled', 'The schedule was disposed. Tell the user.');
    const result = await store.change(jobOwner(caller.agentId, caller.userId), change);
    wake();
    return result;
  };

  const dispose = async (): Promise<void> => {
    isDisposed = true;
    await claiming;
    timers.clear(waking);
    timers.clear(renewing);
    const active = [...runs];
    for (const { control } of active) control.abort();
    await Promise.all(active.map(({ end }) => end));
  };

  wake();
  return {
    add({ name, schedule, prompt, session }, scope) {
      const id = randomUUID().slice(0, 8);
      const fixed = { id, name, schedule, timeZone, prompt, session, isEnabled: true, failures: 0 };
      return changed(scope, (book, now) => withJob(book, { ...fixed, createdAt: iso(now) }, now));
    },
    list: ({ caller }) => store.read(jobOwner(caller.agentId, caller.userId)),
    remove: (id, scope) =>
      changed(scope, (book) => {
        const jobs = book.jobs.filter((job) => job.id !== id);
        return [{ ...book, jobs }, jobs.length < book.jobs.length];
      }),
    async run(id, scope) {
      const job = await changed(scope, (book, now) => started(book, id, holder, now));
      if (job !== undefined) begin(jobOwner(scope.caller.agentId, scope.caller.userId), job);
      return job;
    },
    setEnabled: (id, isEnabled, scope) => changed(scope, (book, now) => switched(book, id, isEnabled, now)),
    dispose,
    [Symbol.asyncDispose]: dispose,
  };
}
