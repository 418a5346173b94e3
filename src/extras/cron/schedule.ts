import type { CallScope } from '../../core/context.js';

/** A prompt with a schedule. */
export interface ScheduledJob {
  readonly id: string;
  readonly name: string;
  /** Five cron fields, `every 10m` or an ISO time; a time zone may follow. */
  readonly schedule: string;
  /** The time zone to use if `schedule` names none. */
  readonly timeZone: string;
  readonly prompt: string;
  /** The session that gets the prompt. */
  readonly session: string;
  readonly isEnabled: boolean;
  /** When the job was added, in ISO 8601 like all times here. */
  readonly createdAt: string;
  /** The next time at which the job is due. Undefined for a disabled job, and if no time is left. */
  readonly nextAt?: string | undefined;
  /** The start of the last run. Undefined before the first run. */
  readonly lastAt?: string | undefined;
  /** Failed runs since the last success. */
  readonly failures: number;
  /** The active run: the process that runs it, its start, and the time after which it counts as lost unless renewed. */
  readonly running?: { readonly by: string; readonly since: string; readonly until: string } | undefined;
}

/** A finished run of a job. */
export interface JobRun {
  readonly jobId: string;
  readonly name: string;
  /** The start of the run. */
  readonly at: string;
  readonly durationMs: number;
  /**
   * `interrupted`: the schedule was disposed. `lost`: the run was not renewed in time, so its process has probably
   * ended.
   */
  readonly state: 'ok' | 'failed' | 'interrupted' | 'lost';
  /** The reason of a failure, scrubbed. */
  readonly error?: string | undefined;
}

/** A job to add. */
export interface NewJob {
  readonly name: string;
  readonly schedule: string;
  readonly prompt: string;
  readonly session: string;
}

/**
 * Scheduled jobs. Each owner, a pair of `caller.agentId` and `caller.userId`, has its own jobs. Methods return
 * undefined or false for an id that is not among the owner's jobs, and reject with a ToolError for invalid requests.
 */
export interface Schedule {
  add(job: NewJob, scope: CallScope): Promise<ScheduledJob> | ScheduledJob;
  /** The jobs, and the last 50 runs, oldest first. */
  list(scope: CallScope): Promise<JobBook> | JobBook;
  remove(id: string, scope: CallScope): Promise<boolean> | boolean;
  /** Starts a run immediately, regardless of the schedule, and does not wait for its end. */
  run(id: string, scope: CallScope): Promise<ScheduledJob | undefined> | ScheduledJob | undefined;
  setEnabled(
    id: string,
    isEnabled: boolean,
    scope: CallScope,
  ): Promise<ScheduledJob | undefined> | ScheduledJob | undefined;
}

/** The jobs of one owner and their last runs. */
export interface JobBook {
  readonly jobs: readonly ScheduledJob[];
  readonly runs: readonly JobRun[];
}
