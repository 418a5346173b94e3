import type { ListPage } from '../../ports/mcp-grant-store.js';
import type { SqlQueries, SqlRow, SqlValue } from '../../ports/sql-client.js';

/** Values by column; undefined is NULL. */
export type Columns = Readonly<Record<string, SqlValue>>;

/** The rows of one table. Never pass input of a user as a column name or as SQL. */
export interface Rows {
  /** Selects columns of the rows with the given values; `sql` is appended. */
  find(where: Columns, columns?: string, sql?: string): Promise<readonly SqlRow[]>;
  /** Selects the next page of the rows with the given values, by id. */
  page(where: Columns, page?: ListPage): Promise<readonly SqlRow[]>;
  /**
   * Inserts a row. If a row with the key exists, updates it with the values and the SQL assignment `change`; without
   * `change`, leaves it and returns no row.
   */
  put(key: Columns, values: Columns, change?: string): Promise<readonly SqlRow[]>;
  /**
   * Updates the rows that have the values in `where`: sets the columns in `values`, and applies the SQL assignment
   * `change`.
   */
  change(where: Columns, values: Columns, change: string): Promise<readonly SqlRow[]>;
  /** Deletes the rows with the given values. Resolves with whether any row was deleted. */
  remove(where: Columns): Promise<boolean>;
}

export function sqlRows(queries: SqlQueries, table: string): Rows {
  const run = async (where: Columns, text: string, values: readonly SqlValue[]) =>
    mayMatch(where) ? (await queries.query(text, values)).rows : [];
  return {
    find: (where, columns = '*', sql = '') =>
      run(where, `SELECT ${columns} FROM ${table} WHERE ${condition(where)} ${sql}`, present(where)),
    page(where, { after = '00000000-0000-0000-0000-000000000000', limit = 100 } = {}) {
      const given = present(where);
      const text = `SELECT * FROM ${table} WHERE ${condition(where)} AND id > $${given.length + 1} ORDER BY id LIMIT $${given.length + 2}`;
      return run(where, text, [...given, after, limit]);
    },
    put(key, values, change) {
      const all = { ...key, ...values };
      const changes = [...Object.keys(values).map((column) => `${column} = EXCLUDED.${column}`), change];
      return run(
        {},
        `INSERT INTO ${table} (${Object.keys(all)}) VALUES (${Object.keys(all).map((_, at) => `$${at + 1}`)})
        ON CONFLICT (${Object.keys(key)}) DO ${change === undefined ? 'NOTHING' : `UPDATE SET ${changes}`} RETURNING *`,
        Object.values(all),
      );
    },
    change(where, values, change) {
      const changes = [...Object.keys(values).map((column, at) => `${column} = $${at + 1}`), change];
      const given = Object.values(values);
      const text = `UPDATE ${table} SET ${changes} WHERE ${condition(where, given.length)} RETURNING *`;
      return run(where, text, [...given, ...present(where)]);
    },
    remove: async (where) =>
      (await run(where, `DELETE FROM ${table} WHERE ${condition(where)} RETURNING id`, present(where))).length > 0,
  };
}

export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

/** False if a UUID column is compared with another text: no row can match, and PostgreSQL would reject the query. */
function mayMatch({ id, server_id, version }: Columns): boolean {
  return [id, server_id, version].every((value) => value === undefined || isUuid(String(value)));
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
