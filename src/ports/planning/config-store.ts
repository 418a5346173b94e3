import type { CallScope } from '../../core/context.js';

/** What a setting can be set to. */
export type SettingValue = string | number | boolean;

/** A setting that an agent may look at. */
export interface Setting {
  readonly name: string;
  readonly description: string;
  readonly type: 'string' | 'boolean' | 'number' | 'enum';
  /** What an `enum` takes. */
  readonly values?: readonly string[] | undefined;
  /** Nobody but the host changes it. Default false. */
  readonly readOnly?: boolean | undefined;
  /** Its value is shown to nobody. Default false. */
  readonly secret?: boolean | undefined;
}

/** Keeps settings for Config, which sets only what `describe` allows, unless the store takes any setting. */
export interface ConfigStore {
  /** Whether it also takes settings that `describe` does not name, of any type. Default false. */
  readonly takesAny?: boolean | undefined;
  describe(): Promise<readonly Setting[]> | readonly Setting[];
  /** Undefined, in a store that takes any setting, for one that is not set. */
  get(name: string, scope: CallScope): Promise<SettingValue | undefined> | SettingValue | undefined;
  set(name: string, value: SettingValue, scope: CallScope): Promise<void> | void;
  /** For the host: back to the default. */
  reset(name: string, scope: CallScope): Promise<void> | void;
  /** Told of each session that ends. */
  endSession?(sessionId: string): void;
}
