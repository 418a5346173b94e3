import type { CallScope } from '../../core/context.js';

/** A prompt that is due at certain times. */
export interface ScheduledJob {
  readonly id: string;
  readonly name: string;
  /** Five fields, `every 10m` or an ISO time; a time zone may follow. */
  readonly schedule: string;
  /** What `schedule` is read in where it names none. */
  readonly timeZone: string;
  readonly prompt: string;
  /** The session that the prompt is for. */
  readonly session: string;
  readonly isEnabled: boolean;
  /** Times are in ISO 8601. */
  readonly createdAt: string;
  /** When it is due. None while it is disabled, and where no time is left. */
  readonly nextAt?: string | undefined;
  /** When the last run began. Default: there was none. */
  readonly lastAt?: string | undefined;
  /** The runs that failed since one succeeded. */
  readonly failures: number;
  /** The run that is going on: who holds it, since when, and until when unless that is renewed. */
  readonly running?: { readonly by: string; readonly since: string; readonly until: string } | undefined;
}

/** One run of a job that is over. */
export interface JobRun {
  readonly jobId: string;
  readonly name: string;
  /** When it began. */
  readonly at: string;
  readonly durationMs: number;
  /** `interrupted`: the schedule was disposed. `lost`: the process that ran it has ended. */
  readonly state: 'ok' | 'failed' | 'interrupted' | 'lost';
  /** Why it failed, scrubbed. */
  readonly error?: string | undefined;
}

/** What a job is made of. */
export interface NewJob {
  readonly name: string;
  readonly schedule: string;
  readonly prompt: string;
  readonly session: string;
}

/**
 * Jobs, each owner's by themselves: those of one `caller.agentId` and `caller.userId`. What cannot be is a ToolError; of
 * an id that the owner has no job of, the answer is undefined, or false.
 */
export interface Schedule {
  add(job: NewJob, scope: CallScope): Promise<ScheduledJob> | ScheduledJob;
  /** The jobs, and the last 50 runs, the oldest first. */
  list(scope: CallScope): Promise<JobBook> | JobBook;
  remove(id: string, scope: CallScope): Promise<boolean> | boolean;
  /** Begins a run now, whatever the schedule says, and does not wait for its end. */
  run(id: string, scope: CallScope): Promise<ScheduledJob | undefined> | ScheduledJob | undefined;
  setEnabled(
    id: string,
    isEnabled: boolean,
    scope: CallScope,
  ): Promise<ScheduledJob | undefined> | ScheduledJob | undefined;
}

/** The jobs of one owner, and their last runs. */
export interface JobBook {
  readonly jobs: readonly ScheduledJob[];
  readonly runs: readonly JobRun[];
}
