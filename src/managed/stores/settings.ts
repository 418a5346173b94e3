import type { CallScope } from '../../core/context.js';
import { planningNumbers } from '../../core/fixed-limits.js';
import type { ConfigStore, SettingValue } from '../../ports/planning/config-store.js';
import { tooManySettings } from '../../sessions/in-memory-config-store.js';
import type { Database } from '../database/tables.js';

/** Settings in a table, one row for each setting of each user of an agent. */
export function settingsStore(database: Database): ConfigStore {
  const ownerOf = ({ caller }: CallScope) => ({ agent_id: caller.agentId, user_id: caller.userId });
  const rows = database.rows('settings');
  return {
    takesAny: true,
    describe: () => [],
    get: async (name, scope) => (await rows.find({ ...ownerOf(scope), name }))[0]?.value as SettingValue | undefined,
    set: (name, value, scope) =>
      database.transaction(async (tables) => {
        const settings = tables.rows('settings');
        await settings.put({ ...ownerOf(scope), name }, { value: JSON.stringify(value) }, 'updated_at = now()');
        const { length } = await settings.find(ownerOf(scope), 'id');
        if (length > planningNumbers.maxSettings) throw tooManySettings();
      }),
    reset: async (name, scope) => void (await rows.remove({ ...ownerOf(scope), name })),
  };
}
