import { bookDueAt, emptyBook, type JobOwner, type JobStore } from '../../src/extras/cron/job-state.js';
import type { JobBook } from '../../src/extras/cron/schedule.js';

/** A job store in memory, with the clock of the test. */
export function memoryJobs(now: () => number): JobStore & { readonly books: Map<string, JobBook> } {
  const books = new Map<string, JobBook>();
  const keyOf = (owner: JobOwner) => JSON.stringify(owner);
  const bookOf = (owner: JobOwner) => books.get(keyOf(owner)) ?? emptyBook;
  return {
    books,
    read: async (owner) => bookOf(owner),
    async change(owner, change) {
      const [book, result] = change(bookOf(owner), now());
      books.set(keyOf(owner), book);
      return result;
    },
    async changeDue(change) {
      for (const [key, book] of books) {
        if (bookDueAt(book) <= now()) books.set(key, change(book, JSON.parse(key), now()));
      }
      return Math.min(...[...books.values()].map(bookDueAt)) - now();
    },
  };
}
