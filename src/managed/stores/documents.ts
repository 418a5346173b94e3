import { changedMeanwhile } from '../../files/disk/replace-file.js';
import type { DocumentOwner, DocumentTable } from '../../ports/file-store.js';
import type { SqlQueries } from '../../ports/sql-client.js';
import { type Columns, type Rows, sqlRows } from '../database/table-rows.js';
import { newVersion } from '../database/tables.js';

/** Documents of agents and their users in one table. */
export function sqlDocuments(queries: SqlQueries, table: string): DocumentTable {
  const rows = sqlRows(queries, table);
  return documentsIn((owner) => [rows, columnsOf(owner)]);
}

/** Context files of agents and their users in two tables: one for agents, one for users. */
export function sqlContextFiles(queries: SqlQueries): DocumentTable {
  const [ofAgents, ofUsers] = [sqlRows(queries, 'agent_context_files'), sqlRows(queries, 'user_context_files')];
  return documentsIn((owner) =>
    owner.userId === undefined ? [ofAgents, { agent_id: owner.agentId }] : [ofUsers, columnsOf(owner)],
  );
}

function documentsIn(locate: (owner: DocumentOwner) => readonly [rows: Rows, columns: Columns]): DocumentTable {
  return {
    async get(owner, name) {
      const [rows, columns] = locate(owner);
      const [row] = await rows.find({ ...columns, name });
      if (row === undefined) return undefined;
      const { content, updated_at: updatedAt, version } = row;
      return { bytes: content as Uint8Array, mtimeMs: Number(updatedAt), version: String(version) };
    },
    async put(owner, name, content, { expected } = {}) {
      const [rows, columns] = locate(owner);
      const key = { ...columns, name };
      const [changed] =
        typeof expected === 'string'
          ? await rows.change({ ...key, version: expected }, { content }, newVersion)
          : await rows.put(key, { content }, expected === null ? undefined : newVersion);
      if (changed === undefined) throw changedMeanwhile(name);
      return String(changed.version);
    },
    async delete(owner, name, { expected } = {}) {
      const [rows, columns] = locate(owner);
      const key = { ...columns, name };
      if (expected === undefined) return await rows.remove(key);
      if (await rows.remove({ ...key, version: expected })) return true;
      if ((await rows.find(key, 'id')).length > 0) throw changedMeanwhile(name);
      return false;
    },
    async names(owner) {
      const [rows, columns] = locate(owner);
      // The sort order of databases depends on their locale.
      return (await rows.find(columns, 'name')).map(({ name }) => String(name)).sort();
    },
  };
}

function columnsOf({ agentId, userId }: DocumentOwner) {
  return { agent_id: agentId, user_id: userId };
}
