import type { Caller } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import type { JobBook, JobRun, ScheduledJob } from './schedule.js';
import { type ScheduleTimes, scheduleTimes } from './schedule-times.js';

/** The owner of a book of jobs. */
export type JobOwner = Pick<Caller, 'agentId' | 'userId'>;

/** Creates an owner. Leaves out each value that is not a text. */
export function jobOwner(agentId: unknown, userId: unknown): JobOwner {
  return { ...(typeof agentId === 'string' && { agentId }), ...(typeof userId === 'string' && { userId }) };
}

/** Stores the books of all owners. Only one process at a time changes a book. */
export interface JobStore {
  read(owner: JobOwner): Promise<JobBook>;
  /** If `change` throws, rejects with that error and leaves the book unchanged. */
  change<Result>(owner: JobOwner, change: (book: JobBook, now: number) => readonly [JobBook, Result]): Promise<Result>;
  /** Changes each book that is due. Resolves with the milliseconds until the next book is due; undefined if none is. */
  changeDue(change: (book: JobBook, owner: JobOwner, now: number) => JobBook): Promise<number | undefined>;
}

/** A book without jobs. */
export const emptyBook: JobBook = { jobs: [], runs: [] };

const maxJobs = 100;
const maxRuns = 50;
const minuteMs = 60_000;
/** A run that is not renewed for this long counts as lost, since its process has probably ended. */
const leaseMs = 60_000;
const longestPauseMs = 6 * 60 * minuteMs;

/** How a run ended. */
export type RunEnd = Pick<JobRun, 'state' | 'error' | 'durationMs'>;

/** Adds a job. Throws `limit_reached` for a full book, and `invalid_input` for a job that is never due. */
export function withJob(book: JobBook, job: ScheduledJob, now: number): readonly [JobBook, ScheduledJob] {
  if (book.jobs.length >= maxJobs)
    throw new ToolError('limit_reached', `There are already ${maxJobs} jobs. Remove one first.`);
  const added = { ...job, nextAt: firstTime(job, now) };
  return [{ ...book, jobs: [...book.jobs, added] }, added];
}

/** Enables or disables a job. */
export function switched(book: JobBook, id: string, isEnabled: boolean, now: number) {
  return changed(book, id, (job) => {
    if (!isEnabled) return { ...job, isEnabled, nextAt: undefined };
    if (job.isEnabled && job.nextAt !== undefined) return job;
    return { ...job, isEnabled, failures: 0, nextAt: firstTime(job, now) };
  });
}

/** Starts a run of a job. Throws if a run of the job is active, or began in the same minute. */
export function started(book: JobBook, id: string, by: string, now: number) {
  return changed(book, id, (job) => {
    if (job.running !== undefined)
      throw new ToolError('limit_reached', `${job.name} is already running. Wait until it ends.`);
    const waitMs = minuteAfterLast(job) - now;
    const tooSoon = `${job.name} ran in this minute, and a job runs at most once a minute.`;
    if (waitMs > 0) throw new ToolError('rate_limited', tooSoon, { retryAfterMs: waitMs });
    return { ...job, lastAt: iso(now), running: heldFrom(now, by) };
  });
}

/** Ends the lost runs, then starts a run of each job that is due. Returns the new book and the started jobs. */
export function startedDue(book: JobBook, by: string, now: number): readonly [JobBook, readonly ScheduledJob[]] {
  const lost = book.jobs.filter(({ running }) => running !== undefined && timeOf(running.until) <= now);
  const endOf = ({ running }: ScheduledJob) => ({ state: 'lost', durationMs: now - timeOf(running?.since) }) as const;
  const cleared = lost.reduce((rest, job) => ended(rest, job, endOf(job), now), book);
  const begun: ScheduledJob[] = [];
  const jobs = cleared.jobs.map((job) => {
    if (job.running !== undefined || dueAt(job) > now) return job;
    const begins = { ...job, lastAt: iso(now), nextAt: isoOrNone(timesOf(job).next(now)), running: heldFrom(now, by) };
    begun.push(begins);
    return begins;
  });
  return [{ ...cleared, jobs }, begun];
}

/** Renews a run, if it is still active. */
export function renewed(book: JobBook, run: ScheduledJob, now: number): JobBook {
  const until = iso(now + leaseMs);
  const renew = (job: ScheduledJob) =>
    isSameRun(job, run) && job.running ? { ...job, running: { ...job.running, until } } : job;
  return { ...book, jobs: book.jobs.map(renew) };
}

/** Whether both are the same job in the same run. */
export function isSameRun(one: ScheduledJob, other: ScheduledJob): boolean {
  const isHeldAlike = one.running?.by === other.running?.by && one.running?.since === other.running?.since;
  return one.id === other.id && isHeldAlike;
}

/**
 * Ends a run. After failures the next run waits at least 1, 2, 4, … minutes, up to 6 hours. Times that passed during
 * the run are skipped. A one-time job whose time has passed is removed after a successful run, and disabled after any
 * other run.
 */
export function ended(book: JobBook, run: ScheduledJob, end: RunEnd, now: number): JobBook {
  const entry: JobRun = { jobId: run.id, name: run.name, at: run.running?.since ?? iso(now), ...end };
  const jobs = book.jobs.flatMap((job) => {
    if (!isSameRun(job, run)) return job;
    const rested = afterRun(job, end, now);
    return rested.nextAt === undefined && end.state === 'ok' && timesOf(job).isOnce ? [] : rested;
  });
  // If another process found the run lost, that process has already recorded the run.
  const isKnown = book.runs.some(({ jobId, at }) => jobId === entry.jobId && at === entry.at);
  return { jobs, runs: isKnown ? book.runs : [...book.runs, entry].slice(-maxRuns) };
}

/** The first time at which a job is due or a run counts as lost, in milliseconds since 1970; Infinity if none. */
export function bookDueAt({ jobs }: JobBook): number {
  const times = jobs.map((job) => (job.running === undefined ? dueAt(job) : timeOf(job.running.until)));
  return Math.min(Number.POSITIVE_INFINITY, ...times);
}

/** Milliseconds since 1970 of a time in ISO 8601; Infinity for undefined. */
function timeOf(time: string | undefined): number {
  return time === undefined ? Number.POSITIVE_INFINITY : Date.parse(time);
}

/** A time in ISO 8601. */
export function iso(time: number): string {
  return new Date(time).toISOString();
}

function afterRun(job: ScheduledJob, { state }: RunEnd, now: number): ScheduledJob {
  const isFailed = state === 'failed' || state === 'lost';
  const failures = isFailed ? job.failures + 1 : state === 'ok' ? 0 : job.failures;
  const rested = { ...job, failures, running: undefined };
  const times = timesOf(job);
  if (times.isOnce) return { ...rested, isEnabled: job.nextAt !== undefined };
  const pauseMs = isFailed ? Math.min(minuteMs * 2 ** (failures - 1), longestPauseMs) : 0;
  const isTooSoon = job.nextAt !== undefined && timeOf(job.nextAt) < now + pauseMs;
  return isTooSoon ? { ...rested, nextAt: isoOrNone(times.next(now + pauseMs - 1)) } : rested;
}

function changed(book: JobBook, id: string, change: (job: ScheduledJob) => ScheduledJob) {
  const job = book.jobs.find((one) => one.id === id);
  if (job === undefined) return [book, undefined] as const;
  const next = change(job);
  return [{ ...book, jobs: book.jobs.map((one) => (one === job ? next : one)) }, next] as const;
}

function dueAt(job: ScheduledJob): number {
  return job.nextAt === undefined ? Number.POSITIVE_INFINITY : Math.max(timeOf(job.nextAt), minuteAfterLast(job));
}

/** The start of the minute after the minute in which the last run began. */
function minuteAfterLast({ lastAt }: ScheduledJob): number {
  return lastAt === undefined ? 0 : (Math.floor(timeOf(lastAt) / minuteMs) + 1) * minuteMs;
}

function firstTime(job: ScheduledJob, now: number): string {
  const next = timesOf(job).next(now);
  if (next !== undefined) return iso(next);
  throw new ToolError('invalid_input', `schedule: ${job.schedule} is never due again. Give a later time.`);
}

function timesOf({ schedule, timeZone, createdAt }: ScheduledJob): ScheduleTimes {
  return scheduleTimes(schedule, timeZone, timeOf(createdAt));
}

function heldFrom(now: number, by: string) {
  return { by, since: iso(now), until: iso(now + leaseMs) };
}

function isoOrNone(time: number | undefined): string | undefined {
  return time === undefined ? undefined : iso(time);
}
