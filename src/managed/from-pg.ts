import { assertArgument, type OptionKind } from '../core/support/option-kinds.js';
import { systemTimers, type Timers } from '../core/support/timers.js';
import type { SqlClient } from '../ports/sql-client.js';
import { PgListener } from './pg-listener.js';
import { type DriverQueries, fromDatabase, queriesOf, runInside } from './sql-driver.js';

/** What is used of a connection of a `Pool` of `pg`. */
export interface PgConnection extends DriverQueries {
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  on(event: 'notification', listener: (message: { channel: string; payload?: string | undefined }) => void): unknown;
  off(event: 'error', listener: (error: Error) => void): unknown;
  release(isBroken?: boolean): void;
}

/** What is used of a `Pool` of `pg`. */
export interface PgPool extends DriverQueries {
  /** True as soon as the pool is being closed. */
  readonly ending: boolean;
  connect(): Promise<PgConnection>;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

const aPool: OptionKind = {
  takes: 'a pool of pg',
  holds: (value) => {
    const { query, connect, on } = Object(value) as Partial<PgPool>;
    return [query, connect, on].every((method) => typeof method === 'function');
  },
};

// A connection that fails says so with its next query as well, and an error that nobody listens to ends the process.
const ignored = () => {};

/**
 * A database that a pool of `pg` reaches: `fromPg(new Pool({ connectionString }))`. Throws a TypeError for what is none.
 * While anything listens, that takes a connection of the pool for itself: the pool needs at least two, and
 * `pool.end()` waits until nothing listens any more. How long a connection and a query may take is up to the pool:
 * `connectionTimeoutMillis`, `query_timeout`.
 */
export function fromPg(pool: PgPool, timers: Timers = systemTimers): SqlClient {
  assertArgument('fromPg takes a pool of pg', pool, aPool, 'fromPg(new Pool({ connectionString }))');
  pool.on('error', ignored);
  const listener = new PgListener(pool, timers);
  return {
    ...queriesOf(pool),
    async transaction(run) {
      const connection = await fromDatabase(() => pool.connect());
      connection.on('error', ignored);
      let isUsable = false;
      try {
        await fromDatabase(() => connection.query('BEGIN'));
        const result = await runInside(connection, run).catch(async (reason: unknown) => {
          isUsable = await connection.query('ROLLBACK').then(
            () => true,
            () => false,
          );
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
    listen: (channel, told) => listener.listen(channel, told),
  };
}
