import { choice, flag, inputObject, integer, list, optional, text, withRule } from '../../core/schema/fields.js';
import { assertArgument, kindOf } from '../../core/support/check-values.js';
import { lazily } from '../../core/support/once.js';
import { systemTimers, type Timers } from '../../core/support/timers.js';
import { jsonFile } from '../../files/disk/json-file.js';
import { bookDueAt, emptyBook, type JobOwner, type JobStore } from './job-state.js';
import {
  assertScheduleOptions,
  type RunningSchedule,
  type ScheduleOptions,
  storedSchedule,
} from './running-schedule.js';
import type { JobBook } from './schedule.js';
import { scheduleTimes } from './schedule-times.js';

/** Options of {@link fileSchedule}. */
export interface FileScheduleOptions extends ScheduleOptions {
  /** Returns milliseconds since 1970, for tests. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/**
 * Creates a schedule that keeps its jobs in a file (mode 0600), which is created with the first job. The schedule
 * starts immediately: a job that became due while no process was running is run once. Several processes of a machine
 * may share the file; each run happens in only one process. Throws a TypeError for invalid arguments. Throws
 * `storage_failed` for a file with unexpected content, and leaves the file unchanged.
 */
export function fileSchedule(path: string, options: FileScheduleOptions): RunningSchedule {
  const write = "fileSchedule('/var/lib/agent/jobs.json', { onDue })";
  assertArgument('fileSchedule takes an absolute path', path, kindOf.absolutePath, write);
  assertScheduleOptions('fileSchedule', options, { now: kindOf.callback });
  return storedSchedule(fileJobStore(path, options.timers ?? systemTimers, options.now ?? Date.now), options);
}

type OwnedBook = JobOwner & JobBook;

interface JobFile {
  readonly version: number;
  readonly books: readonly OwnedBook[];
}

const time = () => withRule(text(), (value) => !Number.isNaN(Date.parse(value)), 'expected a time in ISO 8601');
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

/** The store of the books in a file. Throws `storage_failed` for a file with unexpected content. */
function fileJobStore(path: string, timers: Timers, now: () => number): JobStore {
  const file = jsonFile(path, jobFileOf, timers);
  file.read();
  const changed = <Result>(change: (books: readonly OwnedBook[]) => readonly [readonly OwnedBook[], Result]) =>
    file.change((before) => {
      const [books, result] = change(before.books);
      return { content: books === before.books ? before : { ...before, books }, result };
    });
  return {
    read: async (owner) => file.read().books.find((book) => isOf(book, owner)) ?? emptyBook,
    change: (owner, change) =>
      changed((books) => {
        const book = books.find((one) => isOf(one, owner));
        const before = book ?? emptyBook;
        const [next, result] = change(before, now());
        if (next === before) return [books, result];
        const after = { ...owner, ...next };
        return [book === undefined ? [...books, after] : books.map((one) => (one === book ? after : one)), result];
      }),
    async changeDue(change) {
      const isDue = (book: OwnedBook) => bookDueAt(book) <= now();
      const due = ({ jobs, runs, ...owner }: OwnedBook) => ({ ...owner, ...change({ jobs, runs }, owner, now()) });
      if (file.read().books.some(isDue))
        await changed((books) => [books.map((book) => (isDue(book) ? due(book) : book)), undefined]);
      const next = Math.min(...file.read().books.map(bookDueAt));
      return next === Number.POSITIVE_INFINITY ? undefined : next - now();
    },
  };
}

function jobFileOf(json: unknown): JobFile {
  const { success, data, error } = content().safeParse(json === undefined ? { version: 1, books: [] } : json);
  if (!success) throw new Error(`${error.issues[0]?.path.join('.')}: ${error.issues[0]?.message}`);
  for (const { schedule, timeZone } of data.books.flatMap(({ jobs }) => jobs)) scheduleTimes(schedule, timeZone);
  return data as JobFile;
}

function isOf(book: JobOwner, { agentId, userId }: JobOwner): boolean {
  return book.agentId === agentId && book.userId === userId;
}
