import { assertMethods } from '../../core/support/check-values.js';
import { tell } from '../../core/support/listeners.js';
import { systemTimers, type Timers } from '../../core/support/timers.js';
import type { SqlClient } from '../../ports/sql-client.js';
import { type DriverQueries, fromDatabase, queriesOf, quotedChannel, runInside } from './driver-queries.js';

/** The methods of a `pg` connection that {@link fromPg} uses. */
export interface PgConnection extends DriverQueries {
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  on(event: 'notification', listener: (message: { channel: string; payload?: string | undefined }) => void): unknown;
  off(event: 'error', listener: (error: Error) => void): unknown;
  release(isBroken?: boolean): void;
}

/** The members of a `Pool` of `pg` that {@link fromPg} uses. */
export interface PgPool extends DriverQueries {
  /** True once the pool is closing. */
  readonly ending: boolean;
  connect(): Promise<PgConnection>;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

// Without a listener, the error event of a connection would end the process. The next query reports the failure anyway.
const ignored = () => {};

/**
 * A database through a pool of `pg`: `fromPg(new Pool({ connectionString }))`. All listeners share one connection, so
 * the pool needs at least two connections, and `pool.end()` waits until the last listener is removed. Set time limits
 * in the pool: `connectionTimeoutMillis`, `query_timeout`. Throws a TypeError for an invalid pool.
 */
export function fromPg(pool: PgPool, timers: Timers = systemTimers): SqlClient {
  const methods = ['query', 'connect', 'on'];
  assertMethods('fromPg takes a pool of pg', pool, methods, 'fromPg(new Pool({ connectionString }))');
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

interface Entry {
  readonly channel: string;
  readonly listener: (payload: string) => void;
}

const firstPauseMs = 250;
const longestPauseMs = 30_000;

/** Listens to channels over one connection of a pool, and reconnects whenever this connection is lost. */
function pgListener(pool: PgPool, timers: Timers): SqlClient['listen'] {
  const entries = new Set<Entry>();
  let current: ReturnType<typeof connect> | undefined;
  let mayHaveMissed = false;
  let retry: unknown;

  const notifyAll = (payload: string, channel?: string): void => {
    for (const entry of entries) if (channel === undefined || entry.channel === channel) tell(entry.listener, payload);
  };

  /** Checks a connection out from the pool. */
  const connect = async (lost: () => void) => {
    const connection = await fromDatabase(() => pool.connect());
    let isOpen = true;
    const close = () => {
      // A listening connection must not return to the pool.
      if (isOpen) connection.release(true);
      isOpen = false;
    };
    const end = () => {
      close();
      lost();
    };
    connection.on('error', end);
    connection.on('end', end);
    connection.on('notification', ({ channel, payload = '' }) => notifyAll(payload, channel));
    const listenTo = async (channel: string) => {
      await fromDatabase(() => connection.query(`LISTEN ${quotedChannel(channel)}`));
    };
    try {
      for (const { channel } of entries) await listenTo(channel);
    } catch (error) {
      close();
      throw error;
    }
    if (mayHaveMissed) notifyAll('');
    mayHaveMissed = false;
    return { listenTo, close };
  };

  const connected = (): ReturnType<typeof connect> => {
    if (current !== undefined) return current;
    const listening = connect(() => lost(listening));
    current = listening;
    listening.catch(() => lost(listening));
    return listening;
  };

  const lost = (listening: ReturnType<typeof connect>): void => {
    if (current !== listening) return;
    current = undefined;
    mayHaveMissed = true;
    connectAfter(firstPauseMs);
  };

  const connectAfter = (pauseMs: number): void => {
    timers.clear(retry);
    if (entries.size === 0 || pool.ending) return;
    const attempt = () => void connected().catch(() => connectAfter(Math.min(2 * pauseMs, longestPauseMs)));
    retry = timers.set(attempt, pauseMs);
  };

  const remove = async (entry: Entry): Promise<void> => {
    entries.delete(entry);
    if (entries.size > 0) return;
    mayHaveMissed = false;
    timers.clear(retry);
    const listening = current;
    current = undefined;
    (await listening?.catch(() => undefined))?.close();
  };

  return async (channel, listener) => {
    quotedChannel(channel);
    const entry = { channel, listener };
    entries.add(entry);
    try {
      await (await connected()).listenTo(channel);
    } catch (error) {
      await remove(entry);
      throw error;
    }
    return () => remove(entry);
  };
}
