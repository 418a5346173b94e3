import { ToolError } from '../core/error.js';
import { heard } from '../core/support/is-thenable.js';
import type { SqlQueries, SqlRow, SqlValue } from '../ports/sql-client.js';

/** What is used of a driver to run statements. */
export interface DriverQueries {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

/** The queries of a driver: NULL for `undefined`, and `storage_failed` for what the driver throws. */
export function queriesOf(driver: DriverQueries): SqlQueries {
  return {
    query: (text, values = []) =>
      fromDatabase(async () => {
        const { rows } = await driver.query(
          text,
          values.map((value) => keepable(value) ?? null),
        );
        return { rows: rows as SqlRow[] };
      }),
  };
}

/** Throws for a text that the database would keep as another, so that two names could become one. */
function keepable(value: SqlValue): SqlValue {
  if (typeof value === 'string' && /\p{Surrogate}/u.test(value)) throw new Error('a text holds half of a character');
  return value;
}

/**
 * Has `run` do the work of a transaction that the driver has begun. Rejects also where `run` has caught the failure of
 * a statement: the database takes none of the others then, and says so to nobody.
 */
export async function runInside<Result>(
  driver: DriverQueries,
  run: (queries: SqlQueries) => Promise<Result>,
): Promise<Result> {
  const { query } = queriesOf(driver);
  const failures: unknown[] = [];
  const result = await run({
    query: (text, values) =>
      query(text, values).catch((reason: unknown) => {
        failures.push(reason);
        throw reason;
      }),
  });
  if (failures.length > 0) throw failures[0];
  return result;
}

/** Answers what some work with the database does; what a driver throws becomes `storage_failed`, or `file_changed`
 * where a row is there already. */
export async function fromDatabase<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (cause) {
    const { message, code } = Object(cause) as { readonly message?: unknown; readonly code?: unknown };
    // Two that made the same row at once: the second is the one that is told.
    if (code === '23505')
      throw new ToolError('file_changed', 'Somebody else has made the same at this moment. Read it, then try again.', {
        cause,
      });
    // Where no address of a host answers, the error has a code alone.
    const reason = String(message || code || cause);
    throw new ToolError('storage_failed', `The database failed: ${reason}. Tell the user.`, { cause });
  }
}

/** The name of a channel as a statement has it. Throws a TypeError for one that PostgreSQL would cut or not take. */
export function quotedChannel(channel: string): string {
  const bytes = Buffer.byteLength(channel);
  if (bytes < 1 || bytes > 63 || channel.includes('\0'))
    throw new TypeError(`listen takes the name of a channel of 1 to 63 bytes, not ${JSON.stringify(channel)}`);
  return `"${channel.replaceAll('"', '""')}"`;
}

/** Calls a listener. What it throws or rejects with is its own affair. */
export function tell(listener: (payload: string) => void, payload: string): void {
  try {
    heard(listener(payload));
  } catch {
    // Nobody is there who could answer.
  }
}
