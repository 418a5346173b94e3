import { randomUUID } from 'node:crypto';
import { ToolError } from '../core/error.js';
import type {
  CustomToolDefinition,
  CustomToolStore,
  PutCustomTool,
  StoredCustomTool,
} from '../ports/custom-tool-store.js';
import type { SqlClient, SqlQueries, SqlRow } from '../ports/sql-client.js';
import type { SecretBox } from './aes-gcm-box.js';
import { changeCount, publishChange } from './change-bus.js';
import { readCustomTool } from './custom-tool-definition.js';
import { changedTool, customToolsChannel, noBox, openedTool, placeOfEnv } from './custom-tool-store.js';
import { isUuid, SqlRows } from './sql-rows.js';

/** Custom tools in a table, whose variables are sealed. A change and its notice take effect together. */
export function sqlCustomTools(client: SqlClient, box: SecretBox | undefined): CustomToolStore {
  const rows = new SqlRows(client, 'custom_tools');
  return {
    async list({ agentId }) {
      const tools = (await rows.find({ agent_id: agentId })).map((row) => storedTool(row, box));
      return tools.sort((one, other) => (one.definition.name < other.definition.name ? -1 : 1));
    },
    async get(id) {
      const [row] = isUuid(id) ? await rows.find({ id }) : [];
      return row && storedTool(row, box);
    },
    async put(definition, how = {}) {
      readCustomTool(definition);
      const { env, parameters, timeout_seconds, enabled, working_dir, name, description, command } = definition;
      const isSecret = Object.keys(env ?? {}).length > 0;
      if (isSecret && box === undefined) throw noBox(name);
      return await client.transaction(async (queries) => {
        const id = await lockedRow(queries, definition, how);
        const sealed = isSecret ? JSON.stringify(box?.seal(JSON.stringify(env), placeOfEnv(id))) : undefined;
        const values = {
          ...{ agent_id: definition.agent_id ?? undefined, name, description, command, sealed_env: sealed },
          ...{ parameters: JSON.stringify(parameters), timeout_seconds: timeout_seconds ?? 60 },
          ...{ working_dir: working_dir ?? undefined, enabled: enabled ?? true },
        };
        const change = 'version = gen_random_uuid(), updated_at = now()';
        const [row] = await new SqlRows(queries, 'custom_tools').change({ id }, values, change);
        await publishChange(queries, customToolsChannel);
        return { id, version: String(row?.version) };
      });
    },
    remove: async (id) =>
      isUuid(id) &&
      (await client.transaction(async (queries) => {
        const isRemoved = await new SqlRows(queries, 'custom_tools').remove({ id });
        if (isRemoved) await publishChange(queries, customToolsChannel);
        return isRemoved;
      })),
    version: () => changeCount(client, customToolsChannel),
  };
}

/** The id of the row that a definition belongs in, which nobody else changes until the transaction ends. */
async function lockedRow(
  queries: SqlQueries,
  { name, agent_id }: CustomToolDefinition,
  { id, expected }: PutCustomTool,
): Promise<string> {
  const rows = new SqlRows(queries, 'custom_tools');
  const key = { agent_id: agent_id ?? undefined, name };
  const made = randomUUID();
  if (id === undefined) await rows.put(key, { id: made, description: '', parameters: '{}', command: '' });
  const [ofName] = await rows.find(key, 'id, version', 'FOR UPDATE');
  if (id !== undefined && ofName !== undefined && ofName.id !== id)
    throw new ToolError('invalid_input', `name: there is another custom tool ${name} already. Change that one.`);
  const [found] = id === undefined ? [ofName] : isUuid(id) ? await rows.find({ id }, 'id, version', 'FOR UPDATE') : [];
  const version = found?.id === made ? null : found?.version;
  if (found !== undefined && (expected === undefined || version === expected)) return String(found.id);
  throw changedTool(name);
}

function storedTool(row: SqlRow, box: SecretBox | undefined): StoredCustomTool {
  const { id, version, sealed_env: sealed, created_at: _, updated_at: __, ...columns } = row;
  const definition = columns as unknown as CustomToolDefinition;
  const stored = { id: String(id), version: String(version) };
  return sealed === null ? { ...stored, definition } : openedTool({ ...stored, definition }, String(sealed), box);
}
