import { describe, expect, expectTypeOf, onTestFinished, test, vi } from 'vitest';
import type { RulePermissions } from '../../../src/index.js';
import {
  type AskAnswer,
  createPermissions,
  type Decision,
  type PermissionDecision,
  type PermissionQuestion,
  type PermissionRequest,
  type ToolHooks,
} from '../../../src/index.js';
import { CommandReader } from '../../../src/shell/parse/command-reader.js';
import { memoryFiles } from '../../../src/testing/index.js';
import { table } from '../../support/each-row.js';
import { testToolkit } from '../../support/test-toolkit.js';

/** Function types anywhere in a type. */
type Functions<Value> = Value extends (...parameters: never[]) => unknown
  ? Value
  : Value extends readonly (infer Item)[]
    ? Functions<Item>
    : Value extends object
      ? { [Key in keyof Value]-?: Functions<Value[Key]> }[keyof Value]
      : never;

test('a request or decision with a function is rejected', () => {
  expectTypeOf<Functions<{ readonly a: readonly { readonly b?: () => void }[] }>>().not.toBeNever();
  expectTypeOf<Functions<PermissionRequest>>().toBeNever();
  expectTypeOf<Functions<PermissionQuestion>>().toBeNever();
  expectTypeOf<Functions<PermissionDecision>>().toBeNever();
  expectTypeOf<Functions<Decision<PermissionQuestion>>>().toBeNever();
  expectTypeOf<Functions<AskAnswer>>().toBeNever();
});

describe('permission is decided', () => {
  const write = { id: 'x', name: 'Write', input: { file_path: '/ws/x.txt', content: 'x' } };

  function counting(permissions: RulePermissions, hooks: ToolHooks = {}) {
    let decisions = 0;
    const counted = {
      ...permissions,
      decide: ((request, caller) => {
        decisions += 1;
        return permissions.decide?.(request, caller);
      }) satisfies RulePermissions['decide'],
      check: ((request, scope) => {
        decisions += 1;
        return permissions.check(request, scope);
      }) satisfies RulePermissions['check'],
      get version() {
        return permissions.version;
      },
      get mode() {
        return permissions.mode;
      },
    };
    const files = memoryFiles({ root: '/ws' });
    const toolkit = testToolkit({ root: '/ws', hosts: { files }, permissions: counted, hooks });
    return async (call = write) => {
      await toolkit.execute([call]);
      return decisions;
    };
  }

  table<[string, () => RulePermissions]>([
    ['a rule allows', () => createPermissions({ allow: ['Write'] })],
    ['a rule denies', () => createPermissions({ deny: ['Write'] })],
    ['a person allows', () => createPermissions({ onAsk: () => 'allow-once' })],
    ['a person refuses', () => createPermissions({ onAsk: () => 'deny' })],
    ['a judge allows', () => createPermissions({ classify: () => 'allow' })],
    ['nobody can be asked', () => createPermissions()],
  ])('once for every decider', async (_name, make) => {
    expect(await counting(make())()).toBe(1);
  });

  test('twice if a person or a hook rewrites the input', async () => {
    const updatedInput = { file_path: '/ws/y.txt', content: 'y' };
    expect(await counting(createPermissions({ onAsk: () => ({ behavior: 'allow', updatedInput }) }))()).toBe(2);
    const hooks: ToolHooks = { PreToolUse: [{ hooks: [() => ({ updatedInput })] }] };
    expect(await counting(createPermissions({ allow: ['Write'] }), hooks)()).toBe(2);
  });

  test('twice if rules change during the question', async () => {
    const permissions = createPermissions({
      onAsk: () => {
        permissions.addRules({ deny: ['Edit(elsewhere/**)'] });
        return 'allow-once';
      },
    });
    expect(await counting(permissions)()).toBe(2);
  });
});

test('a command line is parsed once for guard, risk, rules and suggestions', async () => {
  const permissions = createPermissions({
    ask: ['Bash(printf *)'],
    allow: ['Bash(echo *)'],
    onAsk: () => 'allow-once',
  });
  const toolkit = testToolkit({ root: '/', permissions });
  const reading = vi.spyOn(CommandReader.prototype, 'readLine');
  onTestFinished(() => reading.mockRestore());
  for (const command of ['printf read-once', 'echo read-once']) {
    reading.mockClear();
    const result = await toolkit.call('Bash', { command });
    expect(result.output.trim()).toBe('read-once');
    expect(reading).toHaveBeenCalledTimes(1);
  }
});
