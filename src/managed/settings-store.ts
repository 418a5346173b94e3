import type { CallScope } from '../core/context.js';
import { planningNumbers } from '../core/numbers.js';
import type { ConfigStore, SettingValue } from '../ports/planning/config-store.js';
import type { SqlClient } from '../ports/sql-client.js';
import { tooManySettings } from '../sessions/planning/in-memory-config-store.js';
import { SqlRows } from './sql-rows.js';

/** Settings of each user of an agent, each in a row. */
export function sqlSettings(client: SqlClient): ConfigStore {
  const rows = new SqlRows(client, 'settings');
  const ownerOf = ({ caller }: CallScope) => ({ agent_id: caller.agentId, user_id: caller.userId });
  return {
    takesAny: true,
    describe: () => [],
    get: async (name, scope) => (await rows.find({ ...ownerOf(scope), name }))[0]?.value as SettingValue | undefined,
    set: (name, value, scope) =>
      client.transaction(async (queries) => {
        const settings = new SqlRows(queries, 'settings');
        await settings.put({ ...ownerOf(scope), name }, { value: JSON.stringify(value) }, 'updated_at = now()');
        const [{ count } = {}] = await settings.find(ownerOf(scope), 'count(*)::integer AS count');
        if (Number(count) > planningNumbers.maxSettings) throw tooManySettings();
      }),
    reset: async (name, scope) => void (await rows.remove({ ...ownerOf(scope), name })),
  };
}
