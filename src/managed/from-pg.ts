import { assertArgument, having } from '../core/support/check-values.js';
import { systemTimers, type Timers } from '../core/support/timers.js';
import type { SqlClient } from '../ports/sql-client.js';
import { pgListener } from './pg-listener.js';
import { type DriverQueries, fromDatabase, queriesOf, runInside } from './sql-driver.js';

/** The methods used of a connection from a `pg` pool. */
export interface PgConnection extends DriverQueries {
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  on(event: 'notification', listener: (message: { channel: string; payload?: string | undefined }) => void): unknown;
  off(event: 'error', listener: (error: Error) => void): unknown;
  release(isBroken?: boolean): void;
}

/** The members used of a `Pool` of `pg`. */
export interface PgPool extends DriverQueries {
  /** True once the pool is closing. */
  readonly ending: boolean;
  connect(): Promise<PgConnection>;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

// The next query reports a failed connection too; without a listener, the error event of a connection would end the
// process.
const ignored = () => {};

/**
 * A database through a pool of `pg`: `fromPg(new Pool({ connectionString }))`. All listeners share one connection, so
 * the pool needs at least two connections, and `pool.end()` waits until the last listener is removed. Set time limits
 * in the pool: `connectionTimeoutMillis`, `query_timeout`. Throws a TypeError for an invalid pool.
 */
export function fromPg(pool: PgPool, timers: Timers = systemTimers): SqlClient {
  const aPool = having('a pool of pg', 'query', 'connect', 'on');
  assertArgument('fromPg takes a pool of pg', pool, aPool, 'fromPg(new Pool({ connectionString }))');
  pool.on('error', ignored);
  return {
    ...queriesOf(pool),
    async transaction(run) {
      const connection = await fromDatabase(() => pool.connect());
      connection.on('error', ignored);
      let isUsable = false;
      try {
        await fromDatabase(() => connection.query('BEGIN'));
        const result = await runInside(connection, run).catch(async (reason: unknown) => {
          const rolledBack = await connection.query('ROLLBACK').catch(() => undefined);
          isUsable = rolledBack !== undefined;
          throw reason;
        });
        await fromDatabase(() => connection.query('COMMIT'));
        isUsable = true;
        return result;
      } finally {
        connection.release(!isUsable);
        connection.off('error', ignored);
      }
    },
    listen: pgListener(pool, timers),
  };
}
