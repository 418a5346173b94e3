import type { CallScope } from '../../core/context.js';
import type { SettingValue } from '../../ports/planning/config-store.js';

/** The program that runs the agents, as its main agent may administer it. */
export interface Gateway {
  /** How it stands: facts that JSON can hold, such as `{ version, sessions }`. */
  status(scope: CallScope): Promise<object> | object;
  /** The value of a setting, undefined for one that is not set. An unknown name is a ToolError. */
  configGet(setting: string, scope: CallScope): Promise<unknown> | unknown;
  configSet(setting: string, value: SettingValue, scope: CallScope): Promise<void> | void;
  /** Reads what it was configured with again, without ending what runs. */
  reload(scope: CallScope): Promise<void> | void;
  /** Ends the program and starts it anew. It should answer first and go down after the turn. */
  restart(scope: CallScope): Promise<void> | void;
}
