import { randomUUID } from 'node:crypto';
import { ToolError } from '../core/error.js';
import type { CustomToolStore, StoredCustomTool } from '../ports/custom-tool-store.js';
import type { SecretBox } from './aes-gcm-box.js';
import { readCustomTool } from './custom-tool-definition.js';
import { changedTool, openedTool, placeOfEnv } from './custom-tool-store.js';

type Row = StoredCustomTool & { readonly sealed: string | undefined };

/** Custom tools in the memory of this process; their variables are sealed where there is a box. */
export function memoryCustomTools(box?: SecretBox): CustomToolStore {
  const rows = new Map<string, Row>();
  let changes = 0;
  const opened = ({ sealed, ...row }: Row): StoredCustomTool => {
    const stored = structuredClone(row);
    return sealed === undefined ? stored : openedTool(stored, sealed, box);
  };
  return {
    list: async ({ agentId = null }) =>
      [...rows.values()]
        .filter(({ definition }) => definition.agent_id === agentId)
        .sort((one, other) => (one.definition.name < other.definition.name ? -1 : 1))
        .map(opened),
    get: async (id) => {
      const row = rows.get(id);
      return row && opened(row);
    },
    async put(given, { id, expected } = {}) {
      readCustomTool(given);
      const { env, agent_id = null, ...fields } = structuredClone(given);
      const ofName = [...rows.values()].find(
        ({ definition }) => definition.agent_id === agent_id && definition.name === given.name,
      );
      if (id !== undefined && ofName !== undefined && ofName.id !== id)
        throw new ToolError(
          'invalid_input',
          `name: there is another custom tool ${given.name} already. Change that one.`,
        );
      const found = id === undefined ? ofName : rows.get(id);
      const isExpected = expected === undefined || (found?.version ?? null) === expected;
      if (!isExpected || (id !== undefined && found === undefined)) throw changedTool(given.name);
      const stored = { id: found?.id ?? randomUUID(), version: randomUUID() };
      const isSecret = env != null && Object.keys(env).length > 0;
      const sealed = isSecret ? box?.seal(JSON.stringify(env), placeOfEnv(stored.id)) : undefined;
      const defaults = { timeout_seconds: fields.timeout_seconds ?? 60, working_dir: fields.working_dir ?? null };
      const clear = isSecret && sealed === undefined ? { env } : {};
      const definition = { ...fields, ...defaults, enabled: fields.enabled ?? true, agent_id, ...clear };
      rows.set(stored.id, { ...stored, definition, sealed });
      changes += 1;
      return stored;
    },
    remove: async (id) => {
      if (!rows.delete(id)) return false;
      changes += 1;
      return true;
    },
    version: async () => String(changes),
  };
}
