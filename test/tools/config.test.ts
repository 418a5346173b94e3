import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type ConfigStore,
  createConfigStore,
  createPermissions,
  createToolkit,
  InMemoryConfigStore,
} from '../../src/index.js';
import { callScope } from '../support/call-scope.js';
import { eachRow, table } from '../support/each-row.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { testToolkit } from '../support/test-toolkit.js';

const settings = {
  theme: { type: 'enum', values: ['light', 'dark'], default: 'light', description: 'Colours' },
  verbose: { type: 'boolean', default: false, description: 'Say more' },
  width: { type: 'number', default: 80, description: 'Columns' },
  editor: { type: 'string', default: 'vi', description: 'Opens files', readOnly: true },
  token: { type: 'string', default: 'hunter2', description: 'Logs in', secret: true },
} as const;

function workspace(config: unknown = createConfigStore({ settings })) {
  const asked: (string | undefined)[] = [];
  const onAsk = ({ preview, risk }: { readonly preview?: string | undefined; readonly risk: string }) => {
    asked.push(`${risk}: ${preview}`);
    return 'allow-once' as const;
  };
  const root = temporaryFolder();
  const toolkit = testToolkit({
    root,
    permissions: createPermissions({ root, onAsk }),
    hosts: { config: config as ConfigStore },
    limits: { resolver: { timeoutMs: 1_000 } },
  });
  const call = async (setting: unknown, value?: unknown) =>
    (await toolkit.execute([{ id: 'c', name: 'Config', input: { setting, value } }])).results[0];
  return { toolkit, call, asked };
}

describe('a setting', () => {
  test('is shown at low risk, and set at medium risk with the old and the new value in the question', async () => {
    const { call, asked } = workspace();
    expect(await call('theme')).toMatchObject({
      ok: true,
      output: 'theme = "light"\nColours',
      metadata: { operation: 'get', setting: 'theme', value: 'light' },
    });
    expect(await call('theme', 'dark')).toMatchObject({
      ok: true,
      output: 'theme: "light" -> "dark"',
      metadata: { operation: 'set', previousValue: 'light', newValue: 'dark' },
    });
    expect(await call('theme')).toMatchObject({ metadata: { value: 'dark' } });
    expect(asked).toEqual(['low: Colours', 'medium: theme: "light" -> "dark"', 'low: Colours']);
  });

  test('that is secret is never shown', async () => {
    const { call, asked } = workspace();
    const results = [await call('token'), await call('token', 'swordfish')];
    expect(results).toMatchObject([{ ok: true, output: 'token = "[REDACTED]"\nLogs in' }, { ok: true }]);
    expect(JSON.stringify([results, asked])).not.toMatch(/hunter2|swordfish/);
  });

  test('that is secret is in no event', async () => {
    const events: unknown[] = [];
    const config = createConfigStore({
      settings: { token: { type: 'string', description: 'Logs in', default: '', secret: true } },
    });
    const root = temporaryFolder();
    await using toolkit = createToolkit({ root, hosts: { config }, permissions: 'bypassPermissions' });
    const value = 'quiet-swordfish';
    const result = await toolkit.call(
      'Config',
      { setting: 'token', value },
      { onEvent: (event) => events.push(event) },
    );
    expect([result.ok, config.get('token', callScope())]).toEqual([true, value]);
    expect(events.length).toBeGreaterThan(1);
    expect(JSON.stringify(events)).not.toContain(value);
  });

  const rows: readonly [string, unknown, unknown, RegExp][] = [
    ['is unknown', 'theem', undefined, /setting: there is no setting "theem"\. Did you mean "theme"\?/],
    ['has the name of what every object has', '__proto__', true, /no setting "__proto__"\. There are: theme, verbose/],
    ['has the name of a method', 'constructor', undefined, /no setting "constructor"/],
    ['holds a hidden letter', 'th\u200beme', undefined, /no setting .*Did you mean "theme"/],
    ['is only to be looked at', 'editor', 'emacs', /setting: editor is read-only/],
    ['takes none of these words', 'theme', 'blue', /value: expected one of "light", "dark" for theme/],
    ['takes true or false', 'verbose', 'yes', /value: expected a boolean for verbose/],
    ['takes a number', 'width', '80', /value: expected a number for width/],
  ];
  test('that is unknown, or gets an invalid value, is refused before a question', () =>
    eachRow(rows, async ([, setting, value, message]) => {
      const { call, asked } = workspace();
      expect(await call(setting, value)).toMatchObject({
        error: { code: 'invalid_input' },
        output: expect.stringMatching(message),
      });
      expect(asked).toEqual([]);
    }));

  test('may have any name', async () => {
    const odd = JSON.parse('{"__proto__":{"type":"number","default":1,"description":"Odd"}}');
    const { call } = workspace(createConfigStore({ settings: odd }));
    await call('__proto__', 2);
    expect(await call('__proto__')).toMatchObject({ metadata: { value: 2 } });
    expect(({} as { readonly description?: unknown }).description).toBeUndefined();
  });
});

const stores: readonly [string, unknown, string, RegExp][] = [
  ['throws', { describe: () => Promise.reject(new Error('off')) }, 'execution_failed', /hosts\.config failed: off/],
  ['describes nothing', { describe: () => ({}) }, 'execution_failed', /hosts\.config gave no usable answer/],
  ['has no value', { get: () => undefined }, 'execution_failed', /hosts\.config gave no usable answer/],
];
test('a failing store fails the call with a code and the name of the store', () =>
  eachRow(stores, async ([, given, code, message]) => {
    const store = { ...createConfigStore({ settings }), ...(given as object) };
    const toolkit = createToolkit({
      root: temporaryFolder(),
      permissions: 'bypassPermissions',
      hosts: { config: store },
    });
    const { results } = await toolkit.execute([{ id: 'c', name: 'Config', input: { setting: 'theme' } }]);
    await toolkit.dispose();
    expect(results).toMatchObject([{ error: { code }, output: expect.stringMatching(message) }]);
  }));

table([[{}], [{ config: new InMemoryConfigStore() }]])(
  'the default store accepts any setting and keeps it for the session',
  async (hosts) => {
    await using toolkit = createToolkit({ root: temporaryFolder(), permissions: 'bypassPermissions', hosts });
    const of = (sessionId: string) => async (setting: string, value?: string | number | boolean) =>
      (await toolkit.call('Config', { setting, value }, { caller: { sessionId } })).output;
    const [call, other] = [of('a'), of('b')];
    expect(await call('theme')).toBe('theme is not set');
    expect(await call('theme', 'dark')).toBe('theme: not set -> "dark"');
    expect(await call('theme', 3)).toBe('theme: "dark" -> 3');
    expect(await call('__proto__', true)).toBe('__proto__: not set -> true');
    expect([await call('theme'), await other('theme')]).toEqual(['theme = 3', 'theme is not set']);
    for (let index = 2; index < 200; index++) await call(`setting_${index}`, index);
    expect(await call('one_more', 1)).toMatch(/^Error: There are 200 settings already/);
    expect(await call('theme', 4)).toBe('theme: 3 -> 4');
    await toolkit.endSession('a');
    expect(await call('theme')).toBe('theme is not set');
  },
);

describe('settings in a file', () => {
  test('survive the store, and reset removes one', async () => {
    const file = join(temporaryFolder(), 'settings.json');
    const scope = callScope();
    const first = createConfigStore({ settings, file });
    await Promise.all([first.set('theme', 'dark', scope), first.set('width', 100, scope)]);
    const second = createConfigStore({ settings, file });
    expect([second.get('theme', scope), second.get('width', scope)]).toEqual(['dark', 100]);
    await second.reset('theme', scope);
    expect([first.get('theme', scope), JSON.parse(readFileSync(file, 'utf8'))]).toEqual(['light', { width: 100 }]);
    expect([statSync(file).mode & 0o777, readdirSync(join(file, '..'))]).toEqual([0o600, ['settings.json']]);
  });

  test('that are no longer valid count as unset, and the others stay', async () => {
    const file = join(temporaryFolder(), 'settings.json');
    writeFileSync(file, '{"theme":"blue","older":1}');
    const store = createConfigStore({ settings, file });
    expect(store.get('theme', callScope())).toBe('light');
    await store.set('theme', 'dark', callScope());
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ older: 1, theme: 'dark' });
  });

  test('are not changed if the content is invalid', async () => {
    const file = join(temporaryFolder(), 'settings.json');
    writeFileSync(file, '{"theme":');
    const store = createConfigStore({ settings, file });
    await expect(async () => store.set('theme', 'dark', callScope())).rejects.toMatchObject({ code: 'storage_failed' });
    expect(readFileSync(file, 'utf8')).toBe('{"theme":');
  });
});

const mistakes: readonly [RegExp, object][] = [
  [/createConfigStore: setings is no option. Did you mean "settings"/, { setings: {} }],
  [/settings\.a: defualt is no option. Did you mean "default"/, { settings: { a: { type: 'string', defualt: '' } } }],
  [
    /settings\.a: type takes "string", "boolean", "number" or "enum", not "text"/,
    { settings: { a: { type: 'text' } } },
  ],
  [/settings\.a: pass its type/, { settings: { a: { description: 'A', default: 1 } } }],
  [/settings\.a: default: expected a boolean/, { settings: { a: { type: 'boolean', description: 'A' } } }],
  [/settings\.a: pass its description/, { settings: { a: { type: 'boolean', default: true } } }],
  [/expected a number/, { settings: { a: { type: 'number', description: 'A', default: Number.POSITIVE_INFINITY } } }],
  [/pass the option settings/, {}],
  [
    /settings\.a: default: expected one of "x"/,
    { settings: { a: { type: 'enum', description: 'A', values: ['x'], default: 'y' } } },
  ],
];
test('invalid options of a store are rejected by name', () =>
  eachRow(mistakes, ([message, options]) => {
    expect(() => createConfigStore(options as never)).toThrow(TypeError);
    expect(() => createConfigStore(options as never)).toThrow(message);
  }));
