import { Listeners } from '../../core/support/listeners.js';
import type { SqlClient, SqlQueries } from '../../ports/sql-client.js';

/** Notifies all processes of an installation about changes, on channels such as `cache:custom_tools`. */
export interface ChangeBus {
  /** Rejects with `storage_failed` if the notification could not be sent. */
  publish(channel: string): Promise<void>;
  /**
   * Calls the listener after changes on the channel; several changes can cause a single call. Also calls the listener
   * after a lost connection, because changes may have been missed. Resolves with a function that unsubscribes. Rejects
   * with `storage_failed` if the database is not reachable.
   */
  subscribe(channel: string, listener: () => void): Promise<() => Promise<void>>;
}

/**
 * Sends changes as notifications of the database. A notification can be lost: read the version of a store from time to
 * time.
 */
export function changeBus(client: SqlClient): ChangeBus {
  return {
    publish: (channel) => publishChange(client, channel),
    subscribe: (channel, listener) => client.listen(channel, () => listener()),
  };
}

/** A change bus within this process. */
export function memoryBus(): ChangeBus {
  const channels = new Map<string, Listeners<void>>();
  return {
    publish: async (channel) => channels.get(channel)?.tell(),
    subscribe: async (channel, listener) => {
      const listeners = channels.get(channel) ?? new Listeners();
      channels.set(channel, listeners);
      const leave = listeners.add(listener);
      return async () => leave();
    },
  };
}

/** Counts a change and sends its notification, both within the transaction of the queries. */
export async function publishChange({ query }: SqlQueries, channel: string): Promise<void> {
  await query(
    `WITH counted AS (
      INSERT INTO change_counts (channel, changes) VALUES ($1::text, 1)
      ON CONFLICT (channel) DO UPDATE SET changes = change_counts.changes + 1 RETURNING changes
    ) SELECT pg_notify($1::text, changes::text) FROM counted`,
    [channel],
  );
}

/** The number of changes on a channel, as text. */
export async function changeCount({ query }: SqlQueries, channel: string): Promise<string> {
  const { rows } = await query('SELECT changes FROM change_counts WHERE channel = $1', [channel]);
  return String(rows[0]?.changes ?? 0);
}
