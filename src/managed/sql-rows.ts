import type { ListPage } from '../ports/mcp-grants.js';
import type { SqlQueries, SqlRow, SqlValue } from '../ports/sql-client.js';

/** Values by the names of their columns; undefined is NULL. */
export type Columns = Readonly<Record<string, SqlValue>>;

/** Rows of one table. Names of columns, and what is given as SQL, are nobody's input. */
export class SqlRows {
  readonly #queries: SqlQueries;
  readonly #table: string;

  constructor(queries: SqlQueries, table: string) {
    this.#queries = queries;
    this.#table = table;
  }

  /** The columns of those that have some values; `sql` comes last. */
  find(where: Columns, columns = '*', sql = ''): Promise<readonly SqlRow[]> {
    return this.#run(`SELECT ${columns} FROM ${this.#table} WHERE ${condition(where)} ${sql}`, present(where));
  }

  /** The next of those that have some values, by their ids. */
  page(
    where: Columns,
    { after = '00000000-0000-0000-0000-000000000000', limit = 100 }: ListPage = {},
  ): Promise<readonly SqlRow[]> {
    const given = present(where);
    const text = `SELECT * FROM ${this.#table} WHERE ${condition(where)} AND id > $${given.length + 1} ORDER BY id LIMIT $${given.length + 2}`;
    return this.#run(text, [...given, after, limit]);
  }

  /**
   * Makes a row, or gives the one with that key the other values and does what `change` says in SQL; where that is left
   * out, one that is there stays, and none is answered.
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

  /** Gives those that have some values others, and does what `change` says in SQL. */
  change(where: Columns, values: Columns, change: string): Promise<readonly SqlRow[]> {
    const changes = [...Object.keys(values).map((column, at) => `${column} = $${at + 1}`), change];
    const given = Object.values(values);
    const text = `UPDATE ${this.#table} SET ${changes} WHERE ${condition(where, given.length)} RETURNING *`;
    return this.#run(text, [...given, ...present(where)]);
  }

  /** Takes out those that have some values. Answers whether there were any. */
  async remove(where: Columns): Promise<boolean> {
    const text = `DELETE FROM ${this.#table} WHERE ${condition(where)} RETURNING id`;
    return (await this.#run(text, present(where))).length > 0;
  }

  async #run(text: string, values: readonly SqlValue[]): Promise<readonly SqlRow[]> {
    return (await this.#queries.query(text, values)).rows;
  }
}

/** Whether a text is a UUID. The database fails where it compares one with another text. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

// Of the forms that find NULL as well, the one for which an index is used.
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
