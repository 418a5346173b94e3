import { changedMeanwhile } from '../files/disk/replace-file.js';
import type { DocumentCondition, DocumentOwner, DocumentTable, StoredDocument } from '../host/file-store.js';
import type { SqlQueries, SqlValue } from '../host/sql-client.js';
import { sqlCondition } from './sql-condition.js';

/** The table that has the documents of an owner, and the columns that name the owner. */
export interface DocumentPlace {
  readonly table: string;
  readonly columns: Readonly<Record<string, string | undefined>>;
}

/** Context files of agents, and of their users in a table of their own. */
export function contextFilePlace({ agentId, userId }: DocumentOwner): DocumentPlace {
  return userId === undefined
    ? { table: 'agent_context_files', columns: { agent_id: agentId } }
    : { table: 'user_context_files', columns: { agent_id: agentId, user_id: userId } };
}

/** What agents remember, of themselves and of their users. */
export function memoryPlace({ agentId, userId }: DocumentOwner): DocumentPlace {
  return { table: 'memory_documents', columns: { agent_id: agentId, user_id: userId } };
}

/** Documents in tables of PostgreSQL. */
export class SqlDocuments implements DocumentTable {
  readonly #client: SqlQueries;
  readonly #placeOf: (owner: DocumentOwner) => DocumentPlace;

  constructor(client: SqlQueries, placeOf: (owner: DocumentOwner) => DocumentPlace) {
    this.#client = client;
    this.#placeOf = placeOf;
  }

  async get(owner: DocumentOwner, name: string): Promise<StoredDocument | undefined> {
    const { table, columns } = this.#placeOf(owner);
    const { text, values } = sqlCondition({ ...columns, name });
    const [row] = await this.#run(`SELECT content, version, updated_at FROM ${table} WHERE ${text}`, values);
    return (
      row && {
        bytes: row.content as Uint8Array,
        mtimeMs: (row.updated_at as Date).getTime(),
        version: String(row.version),
      }
    );
  }

  async put(
    owner: DocumentOwner,
    name: string,
    bytes: Uint8Array,
    { expected }: DocumentCondition = {},
  ): Promise<void> {
    const place = this.#placeOf(owner);
    const put = typeof expected === 'string' ? this.#replace(place, name, bytes, expected) : undefined;
    const changed = await (put ?? this.#insert(place, name, bytes, expected !== null));
    if (changed.length === 0) throw changedMeanwhile(name);
  }

  async delete(owner: DocumentOwner, name: string): Promise<boolean> {
    const { table, columns } = this.#placeOf(owner);
    const { text, values } = sqlCondition({ ...columns, name });
    return (await this.#run(`DELETE FROM ${table} WHERE ${text} RETURNING id`, values)).length > 0;
  }

  async names(owner: DocumentOwner): Promise<readonly string[]> {
    const { table, columns } = this.#placeOf(owner);
    const { text, values } = sqlCondition(columns);
    const rows = await this.#run(`SELECT name FROM ${table} WHERE ${text}`, values);
    // Databases sort by languages, each in its own way.
    return rows.map(({ name }) => String(name)).sort();
  }

  #insert({ table, columns }: DocumentPlace, name: string, bytes: Uint8Array, mayReplace: boolean) {
    const given = Object.entries({ ...columns, name });
    const names = given.map(([column]) => column).join(', ');
    const places = given.map((_, at) => `$${at + 1}`).join(', ');
    const change = mayReplace
      ? 'UPDATE SET content = EXCLUDED.content, version = gen_random_uuid(), updated_at = now()'
      : 'NOTHING';
    return this.#run(
      `INSERT INTO ${table} (${names}, content) VALUES (${places}, $${given.length + 1})
      ON CONFLICT (${names}) DO ${change} RETURNING id`,
      [...given.map(([, value]) => value), bytes],
    );
  }

  #replace({ table, columns }: DocumentPlace, name: string, bytes: Uint8Array, version: string) {
    const { text, values } = sqlCondition({ ...columns, name });
    const [content, expected] = [values.length + 1, values.length + 2];
    return this.#run(
      `UPDATE ${table} SET content = $${content}, version = gen_random_uuid(), updated_at = now()
      WHERE ${text} AND version::text = $${expected} RETURNING id`,
      [...values, bytes, version],
    );
  }

  async #run(text: string, values: readonly SqlValue[]) {
    return (await this.#client.query(text, values)).rows;
  }
}
