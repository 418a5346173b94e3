import type { ListPage } from '../ports/mcp-grants.js';
import type { SqlQueries, SqlRow, SqlValue } from '../ports/sql-client.js';

/** Values by column; undefined is NULL. */
export type Columns = Readonly<Record<string, SqlValue>>;

/** The rows of one table. Never pass input of a user as a column name or as SQL. */
export class SqlRows {
  readonly #queries: SqlQueries;
  readonly #table: string;

  constructor(queries: SqlQueries, table: string) {
    this.#queries = queries;
    this.#table = table;
  }

  /** Selects columns of the rows with the given values; `sql` is appended. */
  find(where: Columns, columns = '*', sql = ''): Promise<readonly SqlRow[]> {
    return this.#run(`SELECT ${columns} FROM ${this.#table} WHERE ${condition(where)} ${sql}`, present(where));
  }

  /** Selects the next page of the rows with the given values, by id. */
  page(
    where: Columns,
    { after = '00000000-0000-0000-0000-000000000000', limit = 100 }: ListPage = {},
  ): Promise<readonly SqlRow[]> {
    const given = present(where);
    const text = `SELECT * FROM ${this.#table} WHERE ${condition(where)} AND id > $${given.length + 1} ORDER BY id LIMIT $${given.length + 2}`;
    return this.#run(text, [...given, after, limit]);
  }

  /**
   * Inserts a row. If a row with the key exists, sets the values and the SQL assignment `change` in that row. Without
   * `change`, an existing row stays unchanged and the result is empty.
   */
  put(key: Columns, values: Columns, change?: string): Promise<readonly SqlRow[]> {
    const all = { ...key, ...values };
    const changes = [...Object.keys(values).map((column) => `${column} = EXCLUDED.${column}`), change];
    return this.#run(
      `INSERT INTO ${this.#table} (${Object.keys(all)}) VALUES (${Object.keys(all).map((_, at) => `$${at + 1}`)})
      ON CONFLICT (${Object.keys(key)}) DO ${change === undefined ? 'NOTHING' : `UPDATE SET ${changes}`} RETURNING *`,
      Object.values(all),
    );
  }

  /** Updates the rows with the given values: sets other values, and the SQL assignment `change`. */
  change(where: Columns, values: Columns, change: string): Promise<readonly SqlRow[]> {
    const changes = [...Object.keys(values).map((column, at) => `${column} = $${at + 1}`), change];
    const given = Object.values(values);
    const text = `UPDATE ${this.#table} SET ${changes} WHERE ${condition(where, given.length)} RETURNING *`;
    return this.#run(text, [...given, ...present(where)]);
  }

  /** Deletes the rows with the given values. Resolves with whether any row was deleted. */
  async remove(where: Columns): Promise<boolean> {
    const text = `DELETE FROM ${this.#table} WHERE ${condition(where)} RETURNING id`;
    return (await this.#run(text, present(where))).length > 0;
  }

  async #run(text: string, values: readonly SqlValue[]): Promise<readonly SqlRow[]> {
    return (await this.#queries.query(text, values)).rows;
  }
}

/** Whether a text is a UUID. The database fails when it compares a UUID column with another text. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

// Unlike IS NOT DISTINCT FROM, this form uses an index.
function condition(where: Columns, before = 0): string {
  let at = before;
  const parts = Object.entries(where).map(([name, value]) =>
    value === undefined ? `${name} IS NULL` : `${name} = $${++at}`,
  );
  return parts.join(' AND ') || 'true';
}

function present(where: Columns): readonly SqlValue[] {
  return Object.values(where).filter((value) => value !== undefined);
}
