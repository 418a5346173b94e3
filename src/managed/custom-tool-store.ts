import { ToolError } from '../core/error.js';
import type { CustomToolDefinition, CustomToolStore, StoredCustomTool } from '../ports/custom-tool-store.js';
import type { SqlRow } from '../ports/sql-client.js';
import { missingBox, type SecretBox } from './aes-gcm-box.js';
import { readCustomTool } from './custom-tool-definition.js';
import { claimRow, type Database, newVersion, removeRow } from './database.js';
import { isUuid } from './sql-rows.js';

/** The channel of a {@link ChangeBus} that announces changes of custom tools. */
export const customToolsChannel = 'cache:custom_tools';

const table = 'custom_tools';
const what = 'custom tool';
// The variables can be decrypted only for this tool.
const contextOfEnv = (id: string) => `custom_tools/${id}/env`;

/** Custom tools in a table with encrypted variables. A change and its notice are one transaction. */
export function customToolStore(database: Database, box: SecretBox | undefined): CustomToolStore {
  return {
    async list({ agentId }) {
      const tools = (await database.rows(table).find({ agent_id: agentId })).map((row) => storedTool(row, box));
      return tools.sort((one, other) => (one.definition.name < other.definition.name ? -1 : 1));
    },
    async get(id) {
      const [row] = isUuid(id) ? await database.rows(table).find({ id }) : [];
      return row && storedTool(row, box);
    },
    async put(definition, how = {}) {
      readCustomTool(definition);
      const { env, parameters, timeout_seconds, enabled, working_dir, name, description, command } = definition;
      const isSecret = Object.keys(env ?? {}).length > 0;
      if (isSecret && box === undefined) throw missingBox(`The env of ${name} is secret`);
      return await database.transaction(async (tables) => {
        const rows = tables.rows(table);
        const agent_id = definition.agent_id ?? undefined;
        const blank = { description: '', parameters: '{}', command: '' };
        const id = await claimRow(rows, what, { agent_id, name }, blank, how);
        const sealed = isSecret ? JSON.stringify(box?.seal(JSON.stringify(env), contextOfEnv(id))) : undefined;
        const values = {
          ...{ agent_id, name, description, command, sealed_env: sealed, parameters: JSON.stringify(parameters) },
          ...{
            timeout_seconds: timeout_seconds ?? 60,
            working_dir: working_dir ?? undefined,
            enabled: enabled ?? true,
          },
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

/** A definition with decrypted variables. If decryption fails, the tool is disabled and `problem` is the reason. */
function storedTool(row: SqlRow, box: SecretBox | undefined): StoredCustomTool {
  const { name, description, parameters, command, timeout_seconds, working_dir, enabled, agent_id, sealed_env } = row;
  const fields = { name, description, parameters, command, timeout_seconds, working_dir, enabled, agent_id };
  const [id, definition] = [String(row.id), fields as CustomToolDefinition];
  const stored = { id, version: String(row.version) };
  if (sealed_env === null || sealed_env === undefined) return { ...stored, definition };
  try {
    if (box === undefined) throw missingBox(`The env of ${name} is secret`);
    const env = JSON.parse(box.open(String(sealed_env), contextOfEnv(id)));
    return { ...stored, definition: { ...definition, env } };
  } catch (thrown) {
    const { message } = ToolError.from(thrown);
    return { ...stored, definition: { ...definition, enabled: false }, problem: message };
  }
}
