import { ToolError } from '../../core/error.js';
import { planningNumbers } from '../../core/numbers.js';
import type { ConfigStore, SettingValue } from '../../host/planning/config-store.js';

/** Takes any setting, in memory, for each session by itself. */
export function anySettings(): ConfigStore {
  const sessions = new Map<string, Map<string, SettingValue>>();
  return {
    takesAny: true,
    describe: () => [],
    get: (name, { caller }) => sessions.get(caller.sessionId)?.get(name),
    set: (name, value, { caller }) => {
      const settings = sessions.get(caller.sessionId) ?? new Map<string, SettingValue>();
      if (settings.size >= planningNumbers.maxSettings && !settings.has(name))
        throw new ToolError('limit_reached', `There are ${settings.size} settings already. Change one of them.`);
      sessions.set(caller.sessionId, settings.set(name, value));
    },
    reset: (name, { caller }) => void sessions.get(caller.sessionId)?.delete(name),
    endSession: (sessionId) => void sessions.delete(sessionId),
  };
}
