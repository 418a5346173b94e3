import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ToolError } from '../../core/error.js';
import { choice, flag, having, inputObject, integer, list, optional, text } from '../../core/schema/input-object.js';
import { lazily } from '../../core/support/lazy-value.js';
import { assertArgument, kindOf } from '../../core/support/option-kinds.js';
import { systemTimers, type Timers } from '../../core/support/timers.js';
import { replaceWhole } from '../../files/disk/replace-whole.js';
import { whileLocked } from './file-lock.js';
import { bookDueAt } from './job-changes.js';
import { emptyBook, type JobOwner, type JobStore } from './job-store.js';
import {
  assertScheduleOptions,
  type RunningSchedule,
  type ScheduleOptions,
  StoredSchedule,
} from './running-schedule.js';
import type { JobBook } from './schedule.js';
import { scheduleTimes } from './schedule-times.js';

/** What a schedule in a file does with its jobs. */
export interface FileScheduleOptions extends ScheduleOptions {
  /** Milliseconds since 1970, for tests. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/**
 * A schedule whose jobs stand in a file (0600), which is made with the first of them. It runs at once: a job that was due
 * meanwhile runs once. Several processes of one machine may use the file, and each run happens in one of them. Throws a
 * TypeError for what is no absolute path and for options of another kind, and `storage_failed` for a file that holds
 * something else, which nothing is written to.
 */
export function fileSchedule(path: string, options: FileScheduleOptions): RunningSchedule {
  const write = "fileSchedule('/var/lib/agent/jobs.json', { onDue })";
  assertArgument('fileSchedule takes an absolute path', path, kindOf.absolutePath, write);
  assertScheduleOptions('fileSchedule', options, { now: kindOf.callback });
  const store = new FileJobStore(path, options.timers ?? systemTimers, options.now ?? Date.now);
  store.assertUsable();
  return new StoredSchedule(store, options);
}

type OwnedBook = JobOwner & JobBook;

const time = () => having(text(), (value) => !Number.isNaN(Date.parse(value)), 'expected a time in ISO 8601');
const count = () => integer(undefined, { minimum: 0 });
const content = lazily(() =>
  inputObject({
    version: integer(undefined, { minimum: 1, maximum: 1 }),
    books: list(
      inputObject({
        agentId: optional(text()),
        userId: optional(text()),
        jobs: list(
          inputObject({
            ...{ id: text(), name: text(), schedule: text(), timeZone: text(), prompt: text(), session: text() },
            ...{ isEnabled: flag(), createdAt: time(), nextAt: optional(time()), lastAt: optional(time()) },
            failures: count(),
            running: optional(inputObject({ by: text(), since: time(), until: time() })),
          }),
        ),
        runs: list(
          inputObject({
            ...{ jobId: text(), name: text(), at: time(), durationMs: count(), error: optional(text()) },
            state: choice(['ok', 'failed', 'interrupted', 'lost']),
          }),
        ),
      }),
    ),
  }),
);

class FileJobStore implements JobStore {
  readonly #path: string;
  readonly #timers: Timers;
  readonly #now: () => number;
  #text: string | undefined;
  #books: readonly OwnedBook[] = [];

  constructor(path: string, timers: Timers, now: () => number) {
    this.#path = path;
    this.#timers = timers;
    this.#now = now;
  }

  /** Throws `storage_failed` for a file that holds something else. */
  assertUsable(): void {
    this.#read();
  }

  async read(owner: JobOwner): Promise<JobBook> {
    return this.#read().find((book) => isOf(book, owner)) ?? emptyBook;
  }

  change: JobStore['change'] = (owner, change) =>
    this.#locked(() => {
      const books = this.#read();
      const book = books.find((one) => isOf(one, owner));
      const before = book ?? emptyBook;
      const [next, result] = change(before, this.#now());
      if (next === before) return result;
      const changed = { ...owner, ...next };
      this.#write(book === undefined ? [...books, changed] : books.map((one) => (one === book ? changed : one)));
      return result;
    });

  changeDue: JobStore['changeDue'] = async (change) => {
    const isDue = (book: OwnedBook) => bookDueAt(book) <= this.#now();
    if (this.#read().some(isDue))
      await this.#locked(() => {
        const books = this.#read();
        const changed = books.map((book) => {
          if (!isDue(book)) return book;
          const { jobs, runs, ...owner } = book;
          return { ...owner, ...change({ jobs, runs }, owner, this.#now()) };
        });
        this.#write(changed);
      });
    const next = Math.min(...this.#read().map(bookDueAt));
    return next === Number.POSITIVE_INFINITY ? undefined : next - this.#now();
  };

  async #locked<Result>(work: () => Result): Promise<Result> {
    try {
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
      return await whileLocked(this.#path, this.#timers, work);
    } catch (thrown) {
      throw this.#failed(thrown);
    }
  }

  #read(): readonly OwnedBook[] {
    let found: string;
    try {
      found = readFileSync(this.#path, 'utf8');
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw this.#failed(thrown);
    }
    if (found !== this.#text) {
      this.#books = this.#booksOf(found);
      this.#text = found;
    }
    return this.#books;
  }

  #booksOf(found: string): readonly OwnedBook[] {
    try {
      const { success, data, error } = content().safeParse(JSON.parse(found));
      if (!success) throw new Error(`${error.issues[0]?.path.join('.')}: ${error.issues[0]?.message}`);
      for (const { schedule, timeZone } of data.books.flatMap(({ jobs }) => jobs)) scheduleTimes(schedule, timeZone);
      return data.books as readonly OwnedBook[];
    } catch (thrown) {
      const reason = `it holds something else (${ToolError.from(thrown).message}), and was left as it is`;
      throw this.#failed(new Error(reason), 'Ask the user to mend it or to move it away');
    }
  }

  #write(books: readonly OwnedBook[]): void {
    const next = `${JSON.stringify({ version: 1, books }, null, 1)}\n`;
    replaceWhole(this.#path, next);
    this.#books = books;
    this.#text = next;
  }

  #failed(thrown: unknown, next = 'Tell the user'): ToolError {
    if (ToolError.is(thrown)) return thrown;
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    const message = `The jobs cannot be kept in ${this.#path}: ${reason}. ${next}.`;
    return new ToolError('storage_failed', message, { cause: thrown });
  }
}

function isOf(book: JobOwner, { agentId, userId }: JobOwner): boolean {
  return book.agentId === agentId && book.userId === userId;
}
