import { randomUUID } from 'node:crypto';
import { ToolError } from '../core/error.js';
import type { JsonSchemaObject } from '../core/schema/json-schema.js';
import type { SqlClient, SqlQueries, SqlRow } from '../host/sql-client.js';
import type { SecretBox } from './aes-gcm-box.js';
import { changeCount, publishChange } from './change-bus.js';
import { type CustomToolDefinition, readCustomTool } from './custom-tool-definition.js';
import {
  type CustomToolStore,
  customToolsChannel,
  type PutCustomTool,
  type StoredCustomTool,
} from './custom-tool-store.js';
import { isUuid, sqlCondition } from './sql-condition.js';

/** Custom tools in a table, whose variables are sealed. A change and its notice take effect together. */
export function sqlCustomTools(client: SqlClient, box: SecretBox | undefined): CustomToolStore {
  const find = async (columns: Readonly<Record<string, string | undefined>>) => {
    const { text, values } = sqlCondition(columns);
    const { rows } = await client.query(`SELECT * FROM custom_tools WHERE ${text}`, values);
    return rows.map((row) => storedTool(row, box));
  };
  return {
    async list({ agentId }) {
      const tools = await find({ agent_id: agentId });
      return tools.sort((one, other) => (one.definition.name < other.definition.name ? -1 : 1));
    },
    get: async (id) => (isUuid(id) ? (await find({ id }))[0] : undefined),
    put: async (definition, how = {}) => {
      readCustomTool(definition);
      const isSecret = Object.keys(definition.env ?? {}).length > 0;
      if (isSecret && box === undefined) throw noBox(definition);
      return await client.transaction(async (queries) => {
        const id = await lockedRow(queries, definition, how);
        const sealed = isSecret ? box?.seal(JSON.stringify(definition.env), placeOf(id)) : undefined;
        const { name, description, parameters, command, timeout_seconds, working_dir, enabled, agent_id } = definition;
        const { rows } = await queries.query(
          `UPDATE custom_tools SET agent_id = $2, name = $3, description = $4, parameters = $5, command = $6,
            timeout_seconds = $7, working_dir = $8, sealed_env = $9, enabled = $10,
            version = gen_random_uuid(), updated_at = now()
          WHERE id = $1 RETURNING version`,
          [
            ...[id, agent_id ?? undefined, name, description, JSON.stringify(parameters), command],
            ...[timeout_seconds ?? 60, working_dir ?? undefined, sealed && JSON.stringify(sealed), enabled ?? true],
          ],
        );
        await publishChange(queries, customToolsChannel);
        return { id, version: String(rows[0]?.version) };
      });
    },
    remove: async (id) =>
      isUuid(id) &&
      (await client.transaction(async (queries) => {
        const { rows } = await queries.query('DELETE FROM custom_tools WHERE id = $1 RETURNING id', [id]);
        if (rows.length > 0) await publishChange(queries, customToolsChannel);
        return rows.length > 0;
      })),
    version: () => changeCount(client, customToolsChannel),
  };
}

/** The id of the row that a definition belongs in, which nobody else changes until the transaction ends. */
async function lockedRow(
  { query }: SqlQueries,
  { name, agent_id }: CustomToolDefinition,
  { id, expected }: PutCustomTool,
): Promise<string> {
  const made = randomUUID();
  if (id === undefined)
    await query(
      `INSERT INTO custom_tools (id, agent_id, name, description, parameters, command) VALUES ($1, $2, $3, '', '{}', '')
      ON CONFLICT (agent_id, name) DO NOTHING`,
      [made, agent_id ?? undefined, name],
    );
  const ofName = sqlCondition({ agent_id: agent_id ?? undefined, name });
  const byName = await query(`SELECT id, version FROM custom_tools WHERE ${ofName.text} FOR UPDATE`, ofName.values);
  const [other] = byName.rows;
  if (id !== undefined && other !== undefined && other.id !== id)
    throw new ToolError('invalid_input', `name: there is another custom tool ${name} already. Change that one.`);
  const ofId = 'SELECT id, version FROM custom_tools WHERE id = $1 FOR UPDATE';
  const [found] = id === undefined ? [other] : isUuid(id) ? (await query(ofId, [id])).rows : [];
  const version = found?.id === made ? null : found?.version;
  if (found !== undefined && (expected === undefined || version === expected)) return String(found.id);
  throw changedTool(name);
}

function storedTool(row: SqlRow, box: SecretBox | undefined): StoredCustomTool {
  const { id, version, name, description, parameters, command, timeout_seconds, working_dir, enabled } = row;
  const definition: CustomToolDefinition = {
    ...{ name: String(name), description: String(description), parameters: parameters as JsonSchemaObject },
    ...{
      command: String(command),
      timeout_seconds: Number(timeout_seconds),
      working_dir: working_dir as string | null,
    },
    ...{ enabled: enabled === true, agent_id: row.agent_id as string | null },
  };
  const stored = { id: String(id), version: String(version) };
  if (row.sealed_env === null) return { ...stored, definition };
  try {
    if (box === undefined) throw noBox(definition);
    const env = JSON.parse(box.open(String(row.sealed_env), placeOf(stored.id))) as CustomToolDefinition['env'];
    return { ...stored, definition: { ...definition, env } };
  } catch (thrown) {
    return { ...stored, definition: { ...definition, enabled: false }, problem: ToolError.from(thrown).message };
  }
}

function placeOf(id: string): string {
  return `custom_tools/${id}/env`;
}

function noBox({ name }: CustomToolDefinition): ToolError {
  return new ToolError(
    'not_configured',
    `The env of ${name} is secret, and the store has no box for it; write managedStores(client, { box: aesGcmBox({ keys, current }) }).`,
  );
}

function changedTool(name: string): ToolError {
  return new ToolError(
    'file_changed',
    `The custom tool ${name} is not the one that was read. Read it again, then repeat the change.`,
  );
}
