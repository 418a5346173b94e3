import type { Caller } from '../../core/context.js';
import type { JobBook } from './schedule.js';

/** Whose jobs a book holds. */
export type JobOwner = Pick<Caller, 'agentId' | 'userId'>;

/** Where the books of all owners are kept, one at a time being changed by one process alone. */
export interface JobStore {
  read(owner: JobOwner): Promise<JobBook>;
  /** Rejects with what `change` throws; the book stays as it was then. */
  change<Result>(owner: JobOwner, change: (book: JobBook, now: number) => readonly [JobBook, Result]): Promise<Result>;
  /** Changes each book whose time has come. Answers how long until the next one's does; undefined where none will. */
  changeDue(change: (book: JobBook, owner: JobOwner, now: number) => JobBook): Promise<number | undefined>;
}

/** A book without jobs. */
export const emptyBook: JobBook = { jobs: [], runs: [] };
