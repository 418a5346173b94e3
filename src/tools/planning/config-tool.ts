import type { output } from 'zod/v4/core';
import type { CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import { planningNumbers } from '../../core/fixed-limits.js';
import { inputObject, optional, scalar, withRule, words } from '../../core/schema/fields.js';
import { lazily } from '../../core/support/once.js';
import { Tool } from '../../core/tool.js';
import type { ToolResult } from '../../core/tool-result.js';
import { askHost } from '../../ports/ask-host.js';
import type { ConfigStore, Setting, SettingValue } from '../../ports/planning/config-store.js';
import { settingOf, settingProblem } from '../../sessions/create-config-store.js';
import { dependenciesOf } from '../support/factory-arguments.js';

const input = lazily(() =>
  inputObject({
    setting: words(planningNumbers.maxLineChars, 'Name'),
    value: withRule(
      optional(scalar('Omit it to show the setting')),
      (value) => String(value).length <= planningNumbers.maxPageChars,
      `expected at most ${planningNumbers.maxPageChars} characters`,
    ),
  }),
);

type ConfigInput = output<ReturnType<typeof input>>;

/** The dependencies of Config. */
export interface ConfigDependencies {
  readonly config: ConfigStore;
  /** Time limit for an answer of the store, in milliseconds; 0 = no limit. */
  readonly timeoutMs: number;
  /** Called with the new value of a secret setting before any event, hook or question shows the call. */
  readonly learn?: ((secret: string) => void) | undefined;
}

/** Shows or changes a setting of the program that runs the agent. */
export function configTool(dependencies: ConfigDependencies): Tool<ConfigInput> {
  const { config, timeoutMs, learn } = dependenciesOf('configTool', dependencies, 'config', 'timeoutMs');
  const askStore = <Answer>(
    scope: CallScope,
    ask: (store: ConfigStore, scope: CallScope) => Promise<Answer> | Answer,
    isUsable: (answer: Answer) => boolean,
  ): Promise<Answer> => askHost({ option: 'config', timeoutMs, isUsable }, scope, (inner) => ask(config, inner));
  /** The setting, its old value, and `shown`, which redacts a secret setting's values. Throws for invalid input. */
  const look = async ({ setting: name, value }: ConfigInput, scope: CallScope) => {
    const known = await askStore(scope, (store) => store.describe(), areSettings);
    const { takesAny } = config;
    const setting =
      takesAny === true && !known.some((one) => one.name === name) ? anySetting(name, value) : settingOf(known, name);
    if (value !== undefined && setting.readOnly === true)
      throw new ToolError('invalid_input', `setting: ${name} is read-only. Ask the user to change it.`);
    const problem = value === undefined ? undefined : settingProblem(setting, value);
    if (problem !== undefined) throw new ToolError('invalid_input', `value: ${problem} for ${name}.`);
    const old = await askStore(
      scope,
      (store, inner) => store.get(name, inner),
      (one) => ['string', 'number', 'boolean'].includes(typeof one) || (takesAny === true && one === undefined),
    );
    const shown = (one: SettingValue | undefined) => (setting.secret === true ? '[REDACTED]' : one);
    return { setting, old: shown(old), shown };
  };
  return Tool.define('Config', {
    description: 'Show or change a setting of the program that runs you.',
    input: input(),
    examples: [{ setting: 'theme', value: 'dark' }],
    // Settings belong to the program and not to the workspace, so a change is not queued in plan mode.
    sideEffect: 'readonly',
    literalFields: ['setting'],
    title: ({ setting, value }) => `${value === undefined ? 'Show' : 'Set'} ${setting}`,
    risk: ({ value }) => (value === undefined ? 'low' : 'medium'),
    footprint: ({ value }) => ({ reads: ['config'], writes: value === undefined ? 'nothing' : ['config'] }),
    verdict: async ({ setting: name, value }, scope) => {
      if (value === undefined) return undefined;
      const settings = await askStore(scope, (store) => store.describe(), areSettings).catch(() => []);
      if (settings.some((one) => one.name === name && one.secret === true)) learn?.(String(value));
      return undefined;
    },
    preview: async (given, scope) => {
      const { setting, old, shown } = await look(given, scope);
      return given.value === undefined ? setting.description : change(setting.name, old, shown(given.value));
    },
    async execute(given, context): Promise<ToolResult> {
      const { setting, old, shown } = await look(given, context);
      const { name, description } = setting;
      const { value } = given;
      if (value === undefined) {
        const output = old === undefined ? `${name} is not set` : `${name} = ${JSON.stringify(old)}\n${description}`;
        return { output: output.trimEnd(), metadata: { operation: 'get', setting: name, value: old } };
      }
      await askStore(
        context,
        (store, scope) => store.set(name, value, scope),
        () => true,
      );
      const newValue = shown(value);
      const output = change(name, old, newValue);
      return { output, metadata: { operation: 'set', setting: name, previousValue: old, newValue } };
    },
  });
}

function change(name: string, old: SettingValue | undefined, value: SettingValue | undefined): string {
  return `${name}: ${JSON.stringify(old) ?? 'not set'} -> ${JSON.stringify(value)}`;
}

function anySetting(name: string, value: SettingValue | undefined): Setting {
  return { name, description: '', type: typeof value as 'string' | 'number' | 'boolean' };
}

function areSettings(settings: readonly Setting[]): boolean {
  return Array.isArray(settings) && settings.every(isSetting);
}

function isSetting(value: unknown): boolean {
  const { name, description, type, values = [] } = (value ?? {}) as Partial<Setting>;
  const areTexts = Array.isArray(values) && [name, description, ...values].every((one) => typeof one === 'string');
  return areTexts && /^(string|boolean|number|enum)$/.test(`${type}`);
}
