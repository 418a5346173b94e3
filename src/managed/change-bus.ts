import { unrefTimer } from '../core/support/timer.js';
import { systemTimers, type Timers } from '../core/support/timers.js';
import type { SqlClient, SqlQueries } from '../ports/sql-client.js';
import { tell } from './sql-driver.js';

/** Tells every process of an installation that something has changed, such as `cache:custom_tools`. */
export interface ChangeBus {
  /** Rejects with `storage_failed` where nobody could be told. */
  publish(channel: string): Promise<void>;
  /**
   * Calls back after what was published since, once or a few times for several changes. Answers how to stop. Rejects
   * with `storage_failed` where the database cannot be reached now; later it may be away, and what changed meanwhile is
   * told when it is back.
   */
  subscribe(channel: string, listener: () => void): Promise<() => Promise<void>>;
}

const pollMs = 5_000;

/**
 * Changes told by notices of the database. Notices can be lost, so each change is counted as well, and the count is
 * looked at every 5 seconds.
 */
export function changeBus(client: SqlClient, timers: Timers = systemTimers): ChangeBus {
  return {
    publish: (channel) => publishChange(client, channel),
    async subscribe(channel, listener) {
      let seen: string | undefined;
      let isOver = false;
      let timer: unknown;
      let looks: Promise<unknown> = Promise.resolve();
      const look = async () => {
        const count = await changeCount(client, channel).catch(() => seen);
        if (isOver || count === seen) return;
        seen = count;
        tell(listener, '');
      };
      const lookNext = () => {
        looks = looks.then(look);
        return looks;
      };
      const pollLater = () => {
        if (!isOver) timer = unrefTimer(timers.set(() => void lookNext().then(pollLater), pollMs));
      };
      const stop = await client.listen(channel, (count) => {
        if (count !== seen) void lookNext();
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

/** Counts a change and sends its notice: with the transaction that the queries are of, or not at all. */
export async function publishChange({ query }: SqlQueries, channel: string): Promise<void> {
  await query(
    `WITH counted AS (
      INSERT INTO change_counts (channel, changes) VALUES ($1::text, 1)
      ON CONFLICT (channel) DO UPDATE SET changes = change_counts.changes + 1 RETURNING changes
    ) SELECT pg_notify($1::text, changes::text) FROM counted`,
    [channel],
  );
}

/** How often something has changed, as text that is another after each change. */
export async function changeCount({ query }: SqlQueries, channel: string): Promise<string> {
  const { rows } = await query('SELECT changes FROM change_counts WHERE channel = $1', [channel]);
  return String(rows[0]?.changes ?? 0);
}
