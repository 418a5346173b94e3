import type { CallScope } from '../../core/context.js';

/** The value of a setting. */
export type SettingValue = string | number | boolean;

/** A setting that an agent may read. */
export interface Setting {
  readonly name: string;
  readonly description: string;
  readonly type: 'string' | 'boolean' | 'number' | 'enum';
  /** The values of an `enum`. */
  readonly values?: readonly string[] | undefined;
  /** Only the host may change the setting. Default false. */
  readonly readOnly?: boolean | undefined;
  /** The value of the setting is never shown. Default false. */
  readonly secret?: boolean | undefined;
}

/** Stores settings. The tool Config sets only settings that `describe` lists, or any setting if `takesAny` is true. */
export interface ConfigStore {
  /** Whether the store also accepts settings that `describe` does not list, with any type. Default false. */
  readonly takesAny?: boolean | undefined;
  describe(): Promise<readonly Setting[]> | readonly Setting[];
  /** Undefined for a setting that is not set, in a store that accepts any setting. */
  get(name: string, scope: CallScope): Promise<SettingValue | undefined> | SettingValue | undefined;
  set(name: string, value: SettingValue, scope: CallScope): Promise<void> | void;
  /** For the host: restores the default. */
  reset(name: string, scope: CallScope): Promise<void> | void;
  /** Called when a session ends. */
  endSession?(sessionId: string): void;
}
