import { ToolError } from '../../core/error.js';
import type { SqlQueries, SqlRow, SqlValue } from '../../ports/sql-client.js';

/** The part of a driver that runs statements. */
export interface DriverQueries {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

/** The queries of a driver: `undefined` becomes NULL, and errors become `storage_failed`. */
export function queriesOf(driver: DriverQueries): SqlQueries {
  return {
    query: (text, values = []) =>
      fromDatabase(async () => {
        const given = values.map((value) => checkStorable(value) ?? null);
        return { rows: (await driver.query(text, given)).rows as SqlRow[] };
      }),
  };
}

/** Throws for a lone surrogate: the database would replace it, and two different names could become equal. */
function checkStorable(value: SqlValue): SqlValue {
  if (typeof value === 'string' && /\p{Surrogate}/u.test(value)) throw new Error('a text contains a lone surrogate');
  return value;
}

/**
 * Runs the body of a transaction. Rejects if a statement failed, even if the body caught the error, since the database
 * discards all statements then.
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

/** An error of the driver becomes `storage_failed`, or `file_changed` if the row already exists. */
export async function fromDatabase<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (cause) {
    const { message, code } = Object(cause) as { readonly message?: unknown; readonly code?: unknown };
    // Two transactions created the same row; the second transaction fails.
    const changed = 'The same entry was created concurrently. Read it, then try again.';
    if (code === '23505') throw new ToolError('file_changed', changed, { cause });
    // If no address of a host answers, the error has only a code.
    const reason = String(message || code || cause);
    throw new ToolError('storage_failed', `The database failed: ${reason}. Tell the user.`, { cause });
  }
}

/** A channel name quoted for a statement. Throws a TypeError for a name that PostgreSQL would cut or refuse. */
export function quotedChannel(channel: string): string {
  const bytes = Buffer.byteLength(channel);
  if (bytes < 1 || bytes > 63 || channel.includes('\0'))
    throw new TypeError(`listen takes the name of a channel of 1 to 63 bytes, not ${JSON.stringify(channel)}`);
  return `"${channel.replaceAll('"', '""')}"`;
}
