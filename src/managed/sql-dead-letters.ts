import type { ToolCall } from '../core/call.js';
import type { DeadLetter, DeadLetters } from '../host/dead-letters.js';
import type { SqlClient } from '../host/sql-client.js';

/** Dead letters that several processes look at, run again and drop. */
export interface SharedDeadLetters extends DeadLetters {
  /** Oldest first. */
  list(): Promise<readonly DeadLetter[]> | readonly DeadLetter[];
  /**
   * Takes a dead letter out and answers its call, to be executed again; undefined for an unknown id, for one that is
   * not whole, which stays, and for one that another process is taking out.
   */
  redrive(id: string): Promise<ToolCall | undefined> | ToolCall | undefined;
  /** Forgets a dead letter; false for an unknown id. */
  drop(id: string): Promise<boolean> | boolean;
}

// As many as createDeadLetters keeps, counted as they are stored.
const forgetOld = `DELETE FROM dead_letters WHERE position IN (
  SELECT position FROM (
    SELECT position, row_number() OVER newest AS place, sum(pg_column_size(letter)) OVER newest AS bytes
    FROM dead_letters WINDOW newest AS (ORDER BY position DESC)
  ) AS kept WHERE place > 1000 OR place > 1 AND bytes > 50000000
)`;

/** Dead letters in a table: the last 1,000, and 50 MB. */
export function sqlDeadLetters({ query, transaction }: SqlClient): SharedDeadLetters {
  return {
    async add(letter) {
      await query(
        `INSERT INTO dead_letters (letter_id, letter) VALUES ($1, $2)
        ON CONFLICT (letter_id) DO UPDATE SET letter = EXCLUDED.letter, position = DEFAULT`,
        [letter.id, JSON.stringify(letter)],
      );
      await query(forgetOld);
    },
    async list() {
      const { rows } = await query('SELECT letter FROM dead_letters ORDER BY position');
      return rows.map(({ letter }) => letter as DeadLetter);
    },
    redrive: (id) =>
      transaction(async (queries) => {
        const text = 'SELECT letter FROM dead_letters WHERE letter_id = $1 FOR UPDATE SKIP LOCKED';
        const { rows } = await queries.query(text, [id]);
        const letter = rows[0]?.letter as DeadLetter | undefined;
        if (letter === undefined || letter.isWhole === false) return undefined;
        await queries.query('DELETE FROM dead_letters WHERE letter_id = $1', [id]);
        return letter.call;
      }),
    async drop(id) {
      const { rows } = await query('DELETE FROM dead_letters WHERE letter_id = $1 RETURNING id', [id]);
      return rows.length > 0;
    },
  };
}
