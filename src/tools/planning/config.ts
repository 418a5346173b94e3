import type { output } from 'zod/v4/core';
import type { CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import { planningNumbers } from '../../core/numbers.js';
import { lazily } from '../../core/support/lazy-value.js';
import { Tool, type ToolResult } from '../../core/tool.js';
import type { ConfigStore, Setting, SettingValue } from '../../host/planning/config-store.js';
import { settingOf, settingProblem } from '../../state/planning/create-config-store.js';
import { askHost, notConfigured } from '../support/ask-host.js';
import { having, inputObject, optional, scalar, words } from '../support/input-object.js';

const input = lazily(() =>
  inputObject({
    setting: words(planningNumbers.maxLineChars, 'Name'),
    value: having(
      optional(scalar('New value; left out, the setting is shown')),
      (value) => String(value).length <= planningNumbers.maxPageChars,
      `expected at most ${planningNumbers.maxPageChars} characters`,
    ),
  }),
);

type ConfigInput = output<ReturnType<typeof input>>;

/** What Config can reach. */
export interface ConfigDependencies {
  /** Without it there are no settings. */
  readonly config: ConfigStore | undefined;
  /** How long the store may take; 0 = no limit. */
  readonly timeoutMs: number;
  /** Told of the value that a secret setting is about to get, before anybody hears of the call. */
  readonly learn?: ((secret: string) => void) | undefined;
}

/** Shows or changes a setting of the program that runs the agent. */
export function configTool({ config, timeoutMs, learn }: ConfigDependencies): Tool<ConfigInput> {
  const askStore = <Answer>(
    scope: CallScope,
    ask: (store: ConfigStore, scope: CallScope) => Promise<Answer> | Answer,
    isUsable: (answer: Answer) => boolean,
  ): Promise<Answer> => {
    if (config === undefined) throw notConfigured('config', 'There are no settings here.');
    return askHost({ option: 'config', timeoutMs, isUsable }, scope, (inner) => ask(config, inner));
  };
  /** The setting, its value and how values of it are shown; throws for a value that it does not take. */
  const look = async ({ setting: name, value }: ConfigInput, scope: CallScope) => {
    const setting = settingOf(await askStore(scope, (store) => store.describe(), areSettings), name);
    if (value !== undefined && setting.readOnly === true)
      throw new ToolError('invalid_input', `setting: ${name} can only be looked at. Ask the user to change it.`);
    const problem = value === undefined ? undefined : settingProblem(setting, value);
    if (problem !== undefined) throw new ToolError('invalid_input', `value: ${problem} for ${name}.`);
    const old = await askStore(
      scope,
      (store, inner) => store.get(name, inner),
      (one) => isSettingValue(one),
    );
    const shown = (one: SettingValue) => (setting.secret === true ? '[REDACTED]' : one);
    return { setting, old: shown(old), shown };
  };
  return Tool.define('Config', {
    description: 'Show or change a setting of the program that runs you.',
    input: input(),
    examples: [{ setting: 'theme', value: 'dark' }],
    sideEffect: 'readonly',
    literalFields: ['setting'],
    title: ({ setting, value }) => `${value === undefined ? 'Show' : 'Set'} ${setting}`,
    risk: ({ value }) => (value === undefined ? 'low' : 'medium'),
    footprint: ({ value }) => ({ reads: ['config'], writes: value === undefined ? 'nothing' : ['config'] }),
    verdict: async ({ setting: name, value }, scope) => {
      if (config === undefined || value === undefined) return undefined;
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
        const output = `${name} = ${JSON.stringify(old)}\n${description}`;
        return { output, metadata: { operation: 'get', setting: name, value: old } };
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

function change(name: string, old: SettingValue, value: SettingValue): string {
  return `${name}: ${JSON.stringify(old)} -> ${JSON.stringify(value)}`;
}

function areSettings(settings: readonly Setting[]): boolean {
  return Array.isArray(settings) && settings.every(isSetting);
}

function isSetting(value: unknown): boolean {
  const { name, description, type, values = [] } = (value ?? {}) as Partial<Setting>;
  const areTexts = Array.isArray(values) && [name, description, ...values].every((one) => typeof one === 'string');
  return areTexts && /^(string|boolean|number|enum)$/.test(`${type}`);
}

function isSettingValue(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
