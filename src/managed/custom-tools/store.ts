import type { CustomToolDefinition, CustomToolStore, StoredCustomTool } from '../../ports/custom-tool-store.js';
import type { SqlRow } from '../../ports/sql-client.js';
import { opened, type SecretBox, type StoredSecret, sealed } from '../database/secret-box.js';
import { claimRow, type Database, json, newVersion, removeRow } from '../database/tables.js';
import { readCustomTool } from './read-definition.js';

/** The channel of a {@link ChangeBus} that announces changes of custom tools. */
export const customToolsChannel = 'cache:custom_tools';

const table = 'custom_tools';
const what = 'custom tool';
// The environment of a tool can be decrypted only for that tool.
const envOf = (id: string, name: unknown, box: SecretBox | undefined): StoredSecret => ({
  ...{ box, context: `custom_tools/${id}/env`, what: `The env of ${name} is secret` },
});

/** Custom tools in a table with encrypted environments. A change and its notification are one transaction. */
export function customToolStore(database: Database, box: SecretBox | undefined): CustomToolStore {
  return {
    async list({ agentId }) {
      const tools = (await database.rows(table).find({ agent_id: agentId })).map((row) => storedTool(row, box));
      return tools.sort((one, other) => (one.definition.name < other.definition.name ? -1 : 1));
    },
    async get(id) {
      const [row] = await database.rows(table).find({ id });
      return row && storedTool(row, box);
    },
    async put(definition, how = {}) {
      readCustomTool(definition);
      const { env, parameters, timeout_seconds, enabled, working_dir, name, description, command } = definition;
      return await database.transaction(async (tables) => {
        const rows = tables.rows(table);
        const agent_id = definition.agent_id ?? undefined;
        const blank = { description: '', parameters: '{}', command: '' };
        const id = await claimRow(rows, what, { agent_id, name }, blank, how);
        const values = {
          ...{ agent_id, name, description, command, parameters: JSON.stringify(parameters) },
          ...{
            timeout_seconds: timeout_seconds ?? 60,
            working_dir: working_dir ?? undefined,
            enabled: enabled ?? true,
          },
          sealed_env: json(sealed(env, envOf(id, name, box))),
        };
        const [row = {}] = await rows.change({ id }, values, newVersion);
        await tables.changed(customToolsChannel);
        return storedTool(row, box);
      });
    },
    remove: (id, { expected } = {}) =>
      database.transaction(async (tables) => {
        const isRemoved = await removeRow(tables.rows(table), what, id, expected);
        if (isRemoved) await tables.changed(customToolsChannel);
        return isRemoved;
      }),
    version: () => database.version(customToolsChannel),
  };
}

/** A definition with its environment. If decryption fails, the tool is disabled and `problem` is the reason. */
function storedTool(row: SqlRow, box: SecretBox | undefined): StoredCustomTool {
  const { name, description, parameters, command, timeout_seconds, working_dir, enabled, agent_id, sealed_env } = row;
  const fields = { name, description, parameters, command, timeout_seconds, working_dir, enabled, agent_id };
  const [id, definition] = [String(row.id), fields as CustomToolDefinition];
  const { value, problem } = opened(sealed_env, envOf(id, name, box));
  return {
    ...{ id, version: String(row.version) },
    definition: { ...definition, ...(value && { env: { ...value } }), ...(problem && { enabled: false }) },
    ...(problem && { problem }),
  };
}
