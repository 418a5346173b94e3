import type { Caller } from '../../core/context.js';
import type { JobBook } from './schedule.js';

/** The owner of a book of jobs. */
export type JobOwner = Pick<Caller, 'agentId' | 'userId'>;

/** The books of all owners. Only one process at a time changes a book. */
export interface JobStore {
  read(owner: JobOwner): Promise<JobBook>;
  /** If `change` throws, rejects with that error and leaves the book unchanged. */
  change<Result>(owner: JobOwner, change: (book: JobBook, now: number) => readonly [JobBook, Result]): Promise<Result>;
  /** Changes each book that is due. Resolves with the milliseconds until the next is due; undefined for never. */
  changeDue(change: (book: JobBook, owner: JobOwner, now: number) => JobBook): Promise<number | undefined>;
}

/** A book without jobs. */
export const emptyBook: JobBook = { jobs: [], runs: [] };
