import type { DeadLetter, SharedDeadLetters } from '../../ports/dead-letters.js';
import type { SqlClient } from '../../ports/sql-client.js';
import { sqlRows } from '../database/table-rows.js';

// Keeps as many dead letters as `createDeadLetters` does. The size of a dead letter is its stored size.
const forgetOld = `DELETE FROM dead_letters WHERE position IN (
  SELECT position FROM (
    SELECT position, row_number() OVER newest AS place, sum(pg_column_size(letter)) OVER newest AS bytes
    FROM dead_letters WINDOW newest AS (ORDER BY position DESC)
  ) AS kept WHERE place > 1000 OR place > 1 AND bytes > 50000000
)`;

/** Dead letters in a table: the last 1,000, up to 50 MB. The latest is always kept. */
export function sqlDeadLetters(client: SqlClient): SharedDeadLetters {
  const rows = sqlRows(client, 'dead_letters');
  return {
    async add(letter) {
      await rows.put({ letter_id: letter.id }, { letter: JSON.stringify(letter) }, 'position = DEFAULT');
      await client.query(forgetOld);
    },
    list: async () => (await rows.find({}, 'letter', 'ORDER BY position')).map(({ letter }) => letter as DeadLetter),
    redrive: (id) =>
      client.transaction(async (queries) => {
        const locked = sqlRows(queries, 'dead_letters');
        const [row] = await locked.find({ letter_id: id }, 'letter', 'FOR UPDATE SKIP LOCKED');
        const letter = row?.letter as DeadLetter | undefined;
        if (letter === undefined || letter.isWhole === false) return undefined;
        await locked.remove({ letter_id: id });
        return letter.call;
      }),
    drop: (id) => rows.remove({ letter_id: id }),
  };
}
