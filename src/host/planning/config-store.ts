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

/** Keeps settings for Config, which sets only what `describe` allows. */
export interface ConfigStore {
  describe(): Promise<readonly Setting[]> | readonly Setting[];
  get(name: string, scope: CallScope): Promise<SettingValue> | SettingValue;
  set(name: string, value: SettingValue, scope: CallScope): Promise<void> | void;
  /** For the host: back to the default. */
  reset(name: string, scope: CallScope): Promise<void> | void;
}
