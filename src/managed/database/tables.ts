import { randomUUID } from 'node:crypto';
import { ToolError } from '../../core/error.js';
import type { SqlClient, SqlQueries } from '../../ports/sql-client.js';
import { changeCount, publishChange } from './change-bus.js';
import { type Columns, type Rows, sqlRows } from './table-rows.js';

/** The tables of a database. */
export interface Tables {
  rows(table: string): Rows;
  /** Reports a change on a channel of a {@link ChangeBus}. */
  changed(channel: string): Promise<void>;
}

/** A database, or its substitute in memory. */
export interface Database extends Tables {
  transaction<Result>(run: (tables: Tables) => Promise<Result>): Promise<Result>;
  /** A version that differs after each change reported on the channel. */
  version(channel: string): Promise<string>;
}

/** A database with the tables that `migrate` creates. */
export function sqlDatabase(client: SqlClient): Database {
  return {
    ...tablesOf(client),
    transaction: (run) => client.transaction((queries) => run(tablesOf(queries))),
    version: (channel) => changeCount(client, channel),
  };
}

function tablesOf(queries: SqlQueries): Tables {
  return {
    rows: (table) => sqlRows(queries, table),
    changed: (channel) => publishChange(queries, channel),
  };
}

/** The row to change, by id or else by name, and its required version: null if the row must not exist. */
export interface RowCondition {
  readonly id?: string | undefined;
  readonly expected?: string | null | undefined;
}

/** The text of a JSON column; undefined is NULL. */
export function json(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}

/** The columns that every change of a row sets. */
export const newVersion = 'version = gen_random_uuid(), updated_at = now()';

/**
 * Locks the row to change, by id or else by name, and returns its id. Inserts `blank` for a new name. `what` names the
 * row in errors, for example `MCP server`.
 */
export async function claimRow(
  rows: Rows,
  what: string,
  key: Columns & { readonly name: string },
  blank: Columns,
  { id, expected }: RowCondition,
): Promise<string> {
  const made = randomUUID();
  if (id === undefined) await rows.put(key, { id: made, ...blank });
  const [ofName] = await rows.find(key, 'id, version', 'FOR UPDATE');
  if (id !== undefined && ofName !== undefined && ofName.id !== id)
    throw new ToolError('invalid_input', `name: there is another ${what} ${key.name} already. Change that one.`);
  const [found] = id === undefined ? [ofName] : await rows.find({ id }, 'id, version', 'FOR UPDATE');
  const version = found?.id === made ? null : found?.version;
  if (found !== undefined && (expected === undefined || version === expected)) return String(found.id);
  if (expected === null)
    throw new ToolError('file_changed', `The ${what} ${key.name} exists already. Change that one.`);
  throw versionConflict(what, key.name);
}

/** Removes a row; resolves with whether it existed. Rejects with `file_changed` for another version. */
export async function removeRow(rows: Rows, what: string, id: string, expected?: string): Promise<boolean> {
  const [found] = await rows.find({ id }, 'name, version', 'FOR UPDATE');
  if (found === undefined) return false;
  if (expected !== undefined && found.version !== expected) throw versionConflict(what, String(found.name));
  return await rows.remove({ id });
}

function versionConflict(what: string, name: string): ToolError {
  const message = `The ${what} ${name} was changed since it was read. Read it again, then repeat the change.`;
  return new ToolError('file_changed', message);
}
