import { systemTimers, type Timers, unrefTimer } from '../core/support/timer.js';
import type { SqlClient, SqlQueries } from '../ports/sql-client.js';
import { notify } from './sql-driver.js';

/** Notifies all processes of an installation about changes, on channels such as `cache:custom_tools`. */
export interface ChangeBus {
  /** Rejects with `storage_failed` if the notice could not be sent. */
  publish(channel: string): Promise<void>;
  /**
   * Calls the listener after later changes, perhaps once for several. Resolves with a function that unsubscribes.
   * Rejects with `storage_failed` if the database is not reachable now. After a later failure, the listener is called
   * for missed changes when the database is back.
   */
  subscribe(channel: string, listener: () => void): Promise<() => Promise<void>>;
}

const pollMs = 5_000;

/**
 * Sends changes as notices of the database. Notices can be lost, so it also counts changes and reads the count every 5
 * seconds.
 */
export function changeBus(client: SqlClient, timers: Timers = systemTimers): ChangeBus {
  return {
    publish: (channel) => publishChange(client, channel),
    async subscribe(channel, listener) {
      let seen: string | undefined;
      let isOver = false;
      let timer: unknown;
      let checks: Promise<unknown> = Promise.resolve();
      const check = async () => {
        const count = await changeCount(client, channel).catch(() => seen);
        if (isOver || count === seen) return;
        seen = count;
        notify(listener, '');
      };
      const checkNext = () => {
        checks = checks.then(check);
        return checks;
      };
      const pollLater = () => {
        if (!isOver) timer = unrefTimer(timers.set(() => void checkNext().then(pollLater), pollMs));
      };
      const stop = await client.listen(channel, (count) => {
        if (count !== seen) void checkNext();
      });
      try {
        seen = await changeCount(client, channel);
      } catch (thrown) {
        await stop();
        throw thrown;
      }
      pollLater();
      return async () => {
        isOver = true;
        timers.clear(timer);
        await stop();
      };
    },
  };
}

/** Counts a change and sends its notice, both within the transaction of the queries. */
export async function publishChange({ query }: SqlQueries, channel: string): Promise<void> {
  await query(
    `WITH counted AS (
      INSERT INTO change_counts (channel, changes) VALUES ($1::text, 1)
      ON CONFLICT (channel) DO UPDATE SET changes = change_counts.changes + 1 RETURNING changes
    ) SELECT pg_notify($1::text, changes::text) FROM counted`,
    [channel],
  );
}

/** The number of changes as text. */
export async function changeCount({ query }: SqlQueries, channel: string): Promise<string> {
  const { rows } = await query('SELECT changes FROM change_counts WHERE channel = $1', [channel]);
  return String(rows[0]?.changes ?? 0);
}
