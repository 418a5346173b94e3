import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createPermissions, createToolkit, type PermissionRequest, type Permissions, type ToolkitOptions } from '../../src/index.js';
import { memoryFiles } from '../../src/testing/index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Wrappers as programs write them: each keeps `check` and loses the rest. */
const wrappers: readonly (readonly [string, (inner: Permissions) => Permissions])[] = [
  ['an object that forwards check', (inner) => ({ check: (request, scope) => inner.check(request, scope) })],
  ['one that adds to the request', (inner) => ({ check: async (request, scope) => inner.check({ ...request, title: 'changed' }, scope) })],
  [
    'a class',
    (inner) =>
      new (class {
        check(request: PermissionRequest, scope: Parameters<Permissions['check']>[1]) {
          return inner.check(request, scope);
        }
      })(),
  ],
  [
    'a wrapper of a wrapper',
    (inner) => {
      const middle: Permissions = { check: (request, scope) => inner.check(request, scope) };
      return { check: (request, scope) => middle.check(request, scope) };
    },
  ],
  [
    'one that forwards decide too',
    (inner) => ({
      check: (request, scope) => inner.check(request, scope),
      decide: (request, caller) => inner.decide?.(request, caller),
    }),
  ],
];

function workspace(permissions: Permissions, more: Partial<ToolkitOptions> = {}) {
  const root = temporaryFolder();
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, '.env'), 'NAME=needle\n');
  writeFileSync(join(root, 'src/a.txt'), 'needle\n');
  const toolkit = createToolkit({ root, permissions, ...more });
  onTestFinished(() => toolkit.dispose());
  const call = async (name: string, input: object) => {
    const { results } = await toolkit.execute([{ id: 'c', name, input }]);
    const [result] = results;
    if (result === undefined) throw new Error('no result');
    return { code: result.ok ? 'ok' : result.error.code, output: result.output };
  };
  return { root, toolkit, call };
}

describe.each(wrappers)('%s', (_name, wrap) => {
  test('leaves files that a rule hides out of searches', async () => {
    const inner = createPermissions({ mode: 'bypassPermissions', deny: ['Read(**/.env)'] });
    const { call } = workspace(wrap(inner));
    const { code, output } = await call('Grep', { pattern: 'needle', output_mode: 'content' });
    expect(code).toBe('ok');
    expect(output).toContain('a.txt');
    expect(output).not.toContain('.env');
  });

  test('does so over files of a host', async () => {
    const inner = createPermissions({ mode: 'bypassPermissions', deny: ['Read(**/.env)'] });
    const files = memoryFiles({ root: '/ws', files: { '.env': 'NAME=needle\n', 'a.txt': 'needle\n' } });
    const toolkit = createToolkit({ root: '/ws', permissions: wrap(inner), hosts: { files } });
    onTestFinished(() => toolkit.dispose());
    const { results } = await toolkit.execute([{ id: 'c', name: 'Grep', input: { pattern: 'needle', output_mode: 'content' } }]);
    expect(results[0]?.output).toContain('a.txt');
    expect(results[0]?.output).not.toContain('.env');
  });

  test('queues in plan mode what would act, and lets the rest run', async () => {
    const inner = createPermissions({ mode: 'plan', allow: ['Write', 'Bash(touch *)'] });
    const { root, toolkit, call } = workspace(wrap(inner));
    expect((await call('Write', { file_path: join(root, 'new.txt'), content: 'x' })).code).toBe('queued_for_plan');
    expect((await call('Bash', { command: 'touch new.txt' })).code).toBe('queued_for_plan');
    expect((await call('Read', { file_path: join(root, 'src/a.txt') })).code).toBe('ok');
    expect(existsSync(join(root, 'new.txt'))).toBe(false);
    expect(toolkit.planQueue.map(({ tool }) => tool)).toEqual(['Write', 'Bash']);
  });

  test('runs an approved plan without asking again', async () => {
    const inner = createPermissions({ mode: 'plan', deny: ['Edit(src/**)'] });
    const { root, toolkit, call } = workspace(wrap(inner));
    await call('Write', { file_path: join(root, 'new.txt'), content: 'x' });
    await call('Write', { file_path: join(root, 'src/new.txt'), content: 'x' });
    const { results } = await toolkit.runPlan();
    expect(results.map((result) => (result.ok ? 'ok' : result.error.code))).toEqual(['ok', 'permission_denied']);
    expect(inner.mode).toBe('default');
    expect(toolkit.planQueue).toEqual([]);
  });

  test('leaves plan mode when somebody approves the plan', async () => {
    const inner = createPermissions({ mode: 'plan', onAsk: async () => 'allow-once' });
    const { root, call } = workspace(wrap(inner));
    expect((await call('Write', { file_path: join(root, 'new.txt'), content: 'x' })).code).toBe('queued_for_plan');
    expect((await call('ExitPlanMode', { plan: 'Write it.' })).output).toContain('plan mode is over');
    expect(inner.mode).toBe('default');
    expect((await call('Write', { file_path: join(root, 'new.txt'), content: 'x' })).code).toBe('ok');
  });

  test('follows a mode that changes while it runs', async () => {
    const inner = createPermissions({ mode: 'acceptEdits' });
    const { root, call } = workspace(wrap(inner));
    const write = async () => (await call('Write', { file_path: join(root, 'new.txt'), content: 'x' })).code;
    expect(await write()).toBe('ok');
    inner.setMode('plan');
    expect(await write()).toBe('queued_for_plan');
    inner.setMode('acceptEdits');
    expect(await write()).toBe('ok');
  });

  test('widens the workspace by folders that are added', async () => {
    const inner = createPermissions();
    const other = temporaryFolder();
    writeFileSync(join(other, 'b.txt'), 'other\n');
    const { root, call } = workspace(wrap(inner));
    await call('Read', { file_path: join(root, 'src/a.txt') });
    inner.addDirectories([other]);
    expect((await call('Read', { file_path: join(other, 'b.txt') })).code).toBe('ok');
  });
});

test.each(['deny', 'ask'] as const)('%s rules keep files of a host out of searches', async (kind) => {
  const files = memoryFiles({ root: '/ws', files: { '.env': 'NAME=needle\n', 'a.txt': 'needle\n' } });
  const permissions = createPermissions({ mode: 'bypassPermissions', [kind]: ['Read(**/.env)'] });
  const toolkit = createToolkit({ root: '/ws', permissions, hosts: { files } });
  onTestFinished(() => toolkit.dispose());
  const { results } = await toolkit.execute([{ id: 'c', name: 'Grep', input: { pattern: 'needle', output_mode: 'content' } }]);
  expect(results[0]?.output).toContain('a.txt');
  expect(results[0]?.output).not.toContain('.env');
});

test.each(['deny', 'ask'] as const)('%s rules keep files of a mount out of searches', async (kind) => {
  const files = memoryFiles({ root: '/ws/mounted', files: { '.env': 'NAME=needle\n', 'b.txt': 'needle\n' } });
  const { root, toolkit } = workspace(createPermissions({ mode: 'bypassPermissions', [kind]: ['Read(**/.env)'] }), {
    mounts: [{ path: '/ws/mounted', files }],
  });
  const search = (path: string) => toolkit.execute([{ id: 'c', name: 'Grep', input: { pattern: 'needle', output_mode: 'content', path } }]);
  const [onDisk, mounted] = [await search(root), await search('/ws/mounted')];
  expect(onDisk.results[0]?.output).not.toContain('.env');
  expect(mounted.results[0]?.output).toContain('b.txt');
  expect(mounted.results[0]?.output).not.toContain('.env');
});

test('a request that was made anew still cannot act in plan mode', async () => {
  const inner = createPermissions({ mode: 'plan', allow: ['Write'] });
  const permissions: Permissions = {
    check: ({ callId, tool, input, sideEffect, risk, title }, scope) =>
      inner.check({ callId, tool, input, sideEffect, risk, title, warnings: [], suggestions: [] }, scope),
  };
  const { root, call } = workspace(permissions);
  const { code, output } = await call('Write', { file_path: join(root, 'new.txt'), content: 'x' });
  expect(code).toBe('permission_denied');
  expect(output).toContain('plan');
  expect(existsSync(join(root, 'new.txt'))).toBe(false);
});

test('a plan of one session does not stop another', async () => {
  const byRole = { planner: createPermissions({ mode: 'plan' }), worker: createPermissions({ mode: 'acceptEdits' }) };
  const permissions: Permissions = {
    check: (request, scope) => byRole[scope.caller.sessionId === 'planner' ? 'planner' : 'worker'].check(request, scope),
  };
  const { root, toolkit } = workspace(permissions);
  const write = { id: 'c', name: 'Write', input: { file_path: join(root, 'new.txt'), content: 'x' } };
  const codeFor = async (sessionId: string) => {
    const { results } = await toolkit.execute([write], { caller: { sessionId } });
    return results[0]?.ok === true ? 'ok' : results[0]?.error.code;
  };
  expect(await codeFor('planner')).toBe('queued_for_plan');
  expect(await codeFor('worker')).toBe('ok');
});

test('permissions of one call that are made for it do not pile up', async () => {
  const permissions: Permissions = {
    check: (request, scope) => createPermissions({ mode: 'bypassPermissions', deny: ['Read(**/.env)'] }).check(request, scope),
  };
  const { call } = workspace(permissions);
  for (let round = 0; round < 3; round++) {
    expect((await call('Grep', { pattern: 'needle', output_mode: 'content' })).output).not.toContain('.env');
  }
});

test('a check of the host sees what a person would be shown', async () => {
  const seen: PermissionRequest[] = [];
  const { root, call } = workspace({
    check: async (request) => {
      seen.push(request);
      return { behavior: 'allow' };
    },
  });
  await call('Bash', { command: 'touch a b' });
  await call('Write', { file_path: join(root, 'new.txt'), content: 'x' });
  await call('Write', { file_path: join(root, '.git/hooks/pre-commit'), content: 'x' });
  expect(seen.map(({ suggestions }) => suggestions)).toEqual([['Bash(touch a b)'], [`Edit(${join(root, 'new.txt')})`], []]);
  expect(seen[0]?.reason).toBe('No rule covers this call of Bash (risk high).');
  expect(seen[2]?.reason).toMatch(/git/);
});
