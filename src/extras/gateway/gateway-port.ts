import type { CallScope } from '../../core/context.js';
import type { SettingValue } from '../../ports/planning/config-store.js';

/** What the main agent may do with the program that runs it. */
export interface Gateway {
  /** The status as a JSON object, such as `{ version, sessions }`. */
  status(scope: CallScope): Promise<object> | object;
  /** The value of a setting, undefined if it is not set. Rejects with a ToolError for an unknown name. */
  configGet(setting: string, scope: CallScope): Promise<unknown> | unknown;
  configSet(setting: string, value: SettingValue, scope: CallScope): Promise<void> | void;
  /** Reads the configuration again without a restart. */
  reload(scope: CallScope): Promise<void> | void;
  /** Restarts the program. Should resolve first, and end the program after the turn. */
  restart(scope: CallScope): Promise<void> | void;
}
