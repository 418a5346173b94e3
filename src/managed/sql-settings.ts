import type { CallScope } from '../core/context.js';
import { planningNumbers } from '../core/numbers.js';
import type { ConfigStore, SettingValue } from '../host/planning/config-store.js';
import type { SqlClient } from '../host/sql-client.js';
import { tooManySettings } from '../state/planning/in-memory-config-store.js';
import { sqlCondition } from './sql-condition.js';

/** Any setting, of each user of an agent in a row. */
export function sqlSettings(client: SqlClient): ConfigStore {
  const ownerOf = ({ caller: { agentId, userId } }: CallScope) => ({ agent_id: agentId, user_id: userId });
  return {
    takesAny: true,
    describe: () => [],
    async get(name, scope) {
      const { text, values } = sqlCondition({ ...ownerOf(scope), name });
      const { rows } = await client.query(`SELECT value FROM settings WHERE ${text}`, values);
      return rows[0]?.value as SettingValue | undefined;
    },
    set: (name, value, scope) =>
      client.transaction(async ({ query }) => {
        const owner = ownerOf(scope);
        await query(
          `INSERT INTO settings (agent_id, user_id, name, value) VALUES ($1, $2, $3, $4)
          ON CONFLICT (agent_id, user_id, name) DO UPDATE SET value = EXCLUDED.value, updated_at = now()`,
          [owner.agent_id, owner.user_id, name, JSON.stringify(value)],
        );
        const { text, values } = sqlCondition(owner);
        const { rows } = await query(`SELECT count(*)::integer AS count FROM settings WHERE ${text}`, values);
        if (Number(rows[0]?.count) > planningNumbers.maxSettings) throw tooManySettings();
      }),
    async reset(name, scope) {
      const { text, values } = sqlCondition({ ...ownerOf(scope), name });
      await client.query(`DELETE FROM settings WHERE ${text}`, values);
    },
  };
}
