import { ToolError } from '../core/error.js';
import { assertOptions, kindOf, type OptionKinds, oneOf } from '../core/support/check-values.js';
import { noSuch } from '../core/support/near-names.js';
import { jsonFile } from '../files/disk/json-file.js';
import type { ConfigStore, Setting, SettingValue } from '../ports/planning/config-store.js';

/** A setting and its default value. */
export interface SettingOptions extends Omit<Setting, 'name'> {
  readonly default: SettingValue;
}

/** Options of {@link createConfigStore}. */
export interface ConfigStoreOptions {
  readonly settings: Readonly<Record<string, SettingOptions>>;
  /** Absolute path of a file that processes may share; the first change creates it. Default: in memory. */
  readonly file?: string | undefined;
}

const kinds: OptionKinds<ConfigStoreOptions> = { settings: kindOf.record, file: kindOf.absolutePath };
const settingKinds: OptionKinds<SettingOptions> = {
  description: kindOf.text,
  type: oneOf('string', 'boolean', 'number', 'enum'),
  values: kindOf.texts,
  readOnly: kindOf.flag,
  secret: kindOf.flag,
  default: kindOf.anything,
};

type Values = Readonly<Record<string, unknown>>;

/** Stores settings in memory or in a file. Throws a TypeError for an invalid setting or default. */
export function createConfigStore(options: ConfigStoreOptions): ConfigStore {
  assertOptions('createConfigStore', options, kinds);
  if (options.settings === undefined)
    throw new TypeError('createConfigStore: pass the option settings, an object of settings by name');
  const settings = Object.entries(options.settings).map(([name, given]) => {
    assertOptions(`createConfigStore: settings.${name}`, given, settingKinds);
    const missing = (['type', 'description'] as const).find((key) => given[key] === undefined);
    if (missing !== undefined) throw new TypeError(`createConfigStore: settings.${name}: pass its ${missing}`);
    const problem = settingProblem(given, given.default);
    if (problem !== undefined) throw new TypeError(`createConfigStore: settings.${name}: default: ${problem}`);
    return { name, ...given };
  });
  const file = options.file === undefined ? undefined : jsonFile(options.file, readValues);
  let memory: Values = {};
  const write = async (name: string, value: SettingValue | undefined, signal: AbortSignal) => {
    const changed = (values: Values) =>
      Object.fromEntries([
        ...Object.entries(values).filter(([other]) => other !== name),
        ...(value === undefined ? [] : [[name, value] as const]),
      ]);
    if (file === undefined) memory = changed(memory);
    else await file.change((values) => ({ content: changed(values), result: undefined }), signal);
  };
  return {
    describe: () => settings.map(({ default: _, ...setting }) => setting),
    get: (name) => {
      const setting = settingOf(settings, name);
      const set = Object.entries(file?.read() ?? memory).find(([other]) => other === name)?.[1];
      return settingProblem(setting, set) === undefined ? (set as SettingValue) : setting.default;
    },
    set: async (name, value, { signal }) => {
      const problem = settingProblem(settingOf(settings, name), value);
      if (problem !== undefined) throw new ToolError('invalid_input', `value: ${problem}.`);
      await write(name, value, signal);
    },
    reset: (name, { signal }) => write(settingOf(settings, name).name, undefined, signal),
  };
}

/** Finds a setting by name. Throws `invalid_input` that suggests similar names for an unknown setting. */
export function settingOf<Known extends Setting>(settings: readonly Known[], name: string): Known {
  const found = settings.find((setting) => setting.name === name);
  if (found !== undefined) return found;
  const known = settings.map((setting) => setting.name);
  throw new ToolError('invalid_input', `setting: ${noSuch('setting', name, known)}`);
}

/** Returns why a setting rejects a value; undefined for a valid value. */
export function settingProblem({ type, values = [] }: Omit<Setting, 'name'>, value: unknown): string | undefined {
  if (type === 'enum')
    return values.includes(value as string)
      ? undefined
      : `expected one of ${values.map((one) => JSON.stringify(one)).join(', ')}`;
  const isKept = typeof value === type && (type !== 'number' || Number.isFinite(value));
  return isKept ? undefined : `expected a ${type}`;
}

function readValues(json: unknown = {}): Values {
  if (kindOf.record.holds(json)) return json as Values;
  throw new Error('its content is not a set of settings');
}
