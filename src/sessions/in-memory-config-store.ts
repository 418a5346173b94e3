import type { CallScope } from '../core/context.js';
import { ToolError } from '../core/error.js';
import { planningNumbers } from '../core/fixed-limits.js';
import type { ConfigStore, SettingValue } from '../ports/planning/config-store.js';

/** Stores any setting in memory, separately for each session: the default of `hosts.config`. */
export class InMemoryConfigStore implements ConfigStore {
  readonly #sessions = new Map<string, Map<string, SettingValue>>();
  readonly takesAny = true;

  describe(): readonly [] {
    return [];
  }

  get(name: string, { caller }: CallScope): SettingValue | undefined {
    return this.#sessions.get(caller.sessionId)?.get(name);
  }

  set(name: string, value: SettingValue, { caller }: CallScope): void {
    const settings = this.#sessions.get(caller.sessionId) ?? new Map<string, SettingValue>();
    if (settings.size >= planningNumbers.maxSettings && !settings.has(name)) throw tooManySettings();
    this.#sessions.set(caller.sessionId, settings.set(name, value));
  }

  reset(name: string, { caller }: CallScope): void {
    this.#sessions.get(caller.sessionId)?.delete(name);
  }

  endSession(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }
}

/** The error for setting a new name when the maximum number of settings is reached. */
export function tooManySettings(): ToolError {
  return new ToolError(
    'limit_reached',
    `There are ${planningNumbers.maxSettings} settings already. Change one of them.`,
  );
}
