import { assertMethods } from '../../core/support/check-values.js';
import type { SqlClient, SqlRow } from '../../ports/sql-client.js';
import { bookDueAt, emptyBook, type JobStore, jobOwner } from './job-state.js';
import {
  assertScheduleOptions,
  type RunningSchedule,
  type ScheduleOptions,
  storedSchedule,
} from './running-schedule.js';
import type { JobBook } from './schedule.js';

/**
 * Creates a schedule that keeps its jobs in the managed database, which `migrate` must have brought up to date. The
 * schedule starts immediately. Any number of processes may open the schedule; each run happens in only one process. The
 * clock of the database decides when a job is due. Throws a TypeError for invalid arguments.
 */
export function pgSchedule(client: SqlClient, options: ScheduleOptions): RunningSchedule {
  const write = 'pgSchedule(fromPg(pool), { onDue })';
  assertMethods('pgSchedule takes a client of the database', client, ['query', 'transaction'], write);
  assertScheduleOptions('pgSchedule', options);
  return storedSchedule(sqlJobStore(client), options);
}

const maxBooks = 20;
/** Milliseconds since 1970. Not `now()`, which is the start of the transaction. */
const clock = 'extract(epoch FROM clock_timestamp()) * 1000 AS now';

function sqlJobStore(client: SqlClient): JobStore {
  return {
    async read({ agentId, userId }) {
      const text = `SELECT jobs, runs FROM schedules WHERE agent_id IS NOT DISTINCT FROM $1::text
        AND user_id IS NOT DISTINCT FROM $2::text`;
      const [row] = (await client.query(text, [agentId, userId])).rows;
      return row === undefined ? emptyBook : bookOf(row);
    },
    change: ({ agentId, userId }, change) =>
      client.transaction(async (queries) => {
        const { rows } = await queries.query(
          `INSERT INTO schedules (agent_id, user_id) VALUES ($1, $2)
          ON CONFLICT (agent_id, user_id) DO UPDATE SET updated_at = now() RETURNING id, jobs, runs, ${clock}`,
          [agentId, userId],
        );
        const [row = {}] = rows;
        const [book, result] = change(bookOf(row), Number(row.now));
        await queries.query(update, [String(row.id), ...valuesOf(book)]);
        return result;
      }),
    async changeDue(change) {
      await client.transaction(async (queries) => {
        const { rows } = await queries.query(
          `SELECT id, agent_id, user_id, jobs, runs, ${clock} FROM schedules WHERE due_at <= now()
          ORDER BY due_at LIMIT ${maxBooks} FOR UPDATE SKIP LOCKED`,
        );
        for (const row of rows) {
          const book = change(bookOf(row), jobOwner(row.agent_id, row.user_id), Number(row.now));
          await queries.query(update, [String(row.id), ...valuesOf(book)]);
        }
      });
      const text = 'SELECT extract(epoch FROM min(due_at) - clock_timestamp()) * 1000 AS wait FROM schedules';
      const wait = (await client.query(text)).rows[0]?.wait ?? undefined;
      return wait === undefined ? undefined : Number(wait);
    },
  };
}

const update = 'UPDATE schedules SET jobs = $2, runs = $3, due_at = $4, updated_at = now() WHERE id = $1';

function valuesOf(book: JobBook) {
  const dueAt = bookDueAt(book);
  const due = dueAt === Number.POSITIVE_INFINITY ? undefined : new Date(dueAt);
  return [JSON.stringify(book.jobs), JSON.stringify(book.runs), due];
}

function bookOf({ jobs, runs }: SqlRow): JobBook {
  return { jobs, runs } as JobBook;
}
