import { assertMethods } from '../../core/support/check-values.js';
import { tell } from '../../core/support/listeners.js';
import type { SqlClient } from '../../ports/sql-client.js';
import { type DriverQueries, fromDatabase, queriesOf, quotedChannel, runInside } from './driver-queries.js';

/** The methods of a `PGlite` of `@electric-sql/pglite` that {@link fromPglite} uses. */
export interface PgliteDatabase extends DriverQueries {
  transaction<Result>(run: (queries: DriverQueries) => Promise<Result>): Promise<Result>;
  onNotification(listener: (channel: string, payload: string) => void): () => void;
}

/**
 * A database in this process: `fromPglite(new PGlite('/folder'))`. Close it yourself. Throws a TypeError for an invalid
 * `db`.
 */
export function fromPglite(db: PgliteDatabase): SqlClient {
  const methods = ['query', 'transaction', 'onNotification'];
  assertMethods('fromPglite takes a PGlite', db, methods, "fromPglite(new PGlite('/folder'))");
  const { query } = queriesOf(db);
  return {
    query,
    async transaction(run) {
      // An error of `run` is not a failure of the database.
      let refused: { readonly reason: unknown } | undefined;
      try {
        return await fromDatabase(() =>
          db.transaction((driver) =>
            runInside(driver, run).catch((reason: unknown) => {
              refused = { reason };
              throw reason;
            }),
          ),
        );
      } catch (failed) {
        throw refused === undefined ? failed : refused.reason;
      }
    },
    async listen(channel, listener) {
      await query(`LISTEN ${quotedChannel(channel)}`);
      const stop = db.onNotification((from, payload) => {
        if (from === channel) tell(listener, payload);
      });
      // Sends no UNLISTEN, because other listeners may use the channel.
      return async () => stop();
    },
  };
}
