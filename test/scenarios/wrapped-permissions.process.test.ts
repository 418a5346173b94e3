import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  createPermissions,
  createToolkit,
  type PermissionRequest,
  type Permissions,
  type Shell,
  type ToolkitOptions,
  wrapPermissions,
} from '../../src/index.js';
import { memoryFiles } from '../../src/testing/index.js';
import { samples, table } from '../support/each-row.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { testToolkit } from '../support/test-toolkit.js';

/** Ways to wrap permissions. */
const wrappers: readonly (readonly [string, <Inner extends Permissions>(inner: Inner) => Inner])[] = [
  ['nothing of its own', (inner) => wrapPermissions(inner, {})],
  ['a check that hands on', (inner) => wrapPermissions(inner, { check: inner.check.bind(inner) })],
  [
    'a check that adds to the request',
    (inner) =>
      wrapPermissions(inner, { check: (request, scope) => inner.check({ ...request, title: 'changed' }, scope) }),
  ],
  [
    'a wrapper of a wrapper',
    (inner) => {
      const middle = wrapPermissions(inner, { check: inner.check.bind(inner) });
      return wrapPermissions(middle, { check: (request, scope) => middle.check(request, scope) });
    },
  ],
];

function workspace(permissions: Permissions, more: Partial<ToolkitOptions> = {}) {
  const root = temporaryFolder();
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, '.env'), 'NAME=needle\n');
  writeFileSync(join(root, 'src/a.txt'), 'needle\n');
  const toolkit = testToolkit({ root, permissions, ...more });
  const call = async (name: string, input: object, sessionId = 'default') => {
    const result = await toolkit.call(name, input, { caller: { sessionId } });
    return { code: result.ok ? 'ok' : result.error.code, output: result.output };
  };
  return { root, toolkit, call };
}

describe.each(wrappers)('%s', (_name, wrap) => {
  test('hides denied files from searches', async () => {
    const inner = createPermissions({ mode: 'bypassPermissions', deny: ['Read(**/.env)'] });
    const { call } = workspace(wrap(inner));
    const { code, output } = await call('Grep', { pattern: 'needle', output_mode: 'content' });
    expect(code).toBe('ok');
    expect(output).toContain('a.txt');
    expect(output).not.toContain('.env');
  });

  test('queues calls with effects in plan mode, and runs the others', async () => {
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
    expect((await call('Write', { file_path: join(root, 'src/new.txt'), content: 'x' })).code).toBe(
      'permission_denied',
    );
    const { results } = await toolkit.runPlan();
    expect(results.map((result) => (result.ok ? 'ok' : result.error.code))).toEqual(['ok']);
    expect(inner.mode).toBe('default');
    expect(toolkit.planQueue).toEqual([]);
  });

  test('leaves plan mode when a person approves the plan', async () => {
    const inner = createPermissions({ mode: 'plan', onAsk: async () => 'allow-once' });
    const { root, call } = workspace(wrap(inner));
    expect((await call('Write', { file_path: join(root, 'new.txt'), content: 'x' })).code).toBe('queued_for_plan');
    expect((await call('ExitPlanMode', { plan: 'Write it.' })).output).toContain('plan mode is over');
    expect(inner.mode).toBe('default');
    expect((await call('Write', { file_path: join(root, 'new.txt'), content: 'x' })).code).toBe('ok');
  });

  test('follows a mode that changes at run time', async () => {
    const inner = createPermissions({ mode: 'acceptEdits' });
    const { root, call } = workspace(wrap(inner));
    const write = async () => (await call('Write', { file_path: join(root, 'new.txt'), content: 'x' })).code;
    expect(await write()).toBe('ok');
    inner.setMode('plan');
    expect(await write()).toBe('queued_for_plan');
    inner.setMode('acceptEdits');
    expect(await write()).toBe('ok');
  });

  test('adds folders to the workspace', async () => {
    const inner = createPermissions();
    const other = temporaryFolder();
    writeFileSync(join(other, 'b.txt'), 'other\n');
    const { root, call } = workspace(wrap(inner));
    await call('Read', { file_path: join(root, 'src/a.txt') });
    inner.addDirectories([other]);
    expect((await call('Read', { file_path: join(other, 'b.txt') })).code).toBe('ok');
  });

  test('sees each call once, and the toolkit asks its question', async () => {
    const asked: string[] = [];
    const inner = createPermissions({
      onAsk: ({ title }) => {
        asked.push(title);
        return 'allow-once';
      },
    });
    const { call } = workspace(wrap(inner));
    expect((await call('Bash', { command: 'touch a' })).code).toBe('ok');
    expect(asked).toHaveLength(1);
  });

  test('asks a person about the end of the plan at the first call too, in spite of an allow rule', async () => {
    const inner = createPermissions({ mode: 'plan', allow: ['*'] });
    const { call } = workspace(wrap(inner));
    expect((await call('ExitPlanMode', { plan: 'Write it.' })).code).toBe('permission_denied');
    expect(inner.mode).toBe('plan');
  });
});

table(['deny', 'ask'])('deny and ask rules hide files of a host from searches, behind every wrapper', async (kind) => {
  for (const [, wrap] of wrappers) {
    const files = memoryFiles({ root: '/ws', files: { '.env': 'NAME=needle\n', 'a.txt': 'needle\n' } });
    const permissions = wrap(createPermissions({ mode: 'bypassPermissions', [kind]: ['Read(**/.env)'] }));
    await using toolkit = createToolkit({ root: '/ws', permissions, hosts: { files } });
    const { output } = await toolkit.call('Grep', { pattern: 'needle', output_mode: 'content' });
    expect([output.includes('a.txt'), output.includes('.env')]).toEqual([true, false]);
  }
});

table(['deny', 'ask'] as const)('deny and ask rules hide files of a mount from searches', async (kind) => {
  const files = memoryFiles({ root: '/ws/mounted', files: { '.env': 'NAME=needle\n', 'b.txt': 'needle\n' } });
  const { root, toolkit } = workspace(createPermissions({ mode: 'bypassPermissions', [kind]: ['Read(**/.env)'] }), {
    mounts: [{ path: '/ws/mounted', files }],
  });
  const search = async (path: string) =>
    (await toolkit.call('Grep', { pattern: 'needle', output_mode: 'content', path })).output;
  expect(await search(root)).not.toContain('.env');
  expect(await search('/ws/mounted')).toMatch(/^(?!.*\.env).*b\.txt/s);
});

test('a copied request still cannot act in plan mode', async () => {
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

test('a check of the host gets the preview of a question', async () => {
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
  expect(seen.map(({ suggestions }) => suggestions)).toEqual([
    ['Bash(touch a b)'],
    [`Edit(${join(root, 'new.txt')})`],
    [],
  ]);
  expect(seen[0]?.reason).toBe('No rule covers this call of Bash (risk high).');
  expect(seen[2]?.reason).toMatch(/git/);
});

/** Selects permissions by session, as a program with many users does. */
function router(of: (sessionId: string) => Permissions): Permissions {
  return { check: (request, scope) => of(scope.caller.sessionId).check(request, scope) };
}

test('folders added to the permissions of one session do not belong to the workspace of another', async () => {
  const other = temporaryFolder();
  writeFileSync(join(other, 'b.txt'), 'other\n');
  const [first, second] = [createPermissions(), createPermissions()];
  const { root, call } = workspace(router((sessionId) => (sessionId === 'first' ? first : second)));
  for (const sessionId of ['first', 'second']) await call('Read', { file_path: join(root, 'src/a.txt') }, sessionId);
  first.addDirectories([other]);
  for (const sessionId of ['first', 'second']) {
    expect((await call('Read', { file_path: join(other, 'b.txt') }, sessionId)).code).not.toBe('ok');
  }
});

describe('an input that a wrapper rewrites', () => {
  /** The executed command for `echo hi`, which the wrapper rewrites. */
  async function rewritten(inner: Permissions, command: string) {
    const ran: string[] = [];
    const nothing = { signal: undefined, outputFile: '', truncated: false, timedOut: false, survivors: [] };
    const shell: Shell = {
      run: async (asked) => {
        ran.push(asked.command);
        return { exitCode: 0, output: 'done', ...nothing };
      },
    };
    const permissions: Permissions = {
      check: async (request, scope) => {
        const decision = await inner.check(request, scope);
        const isMeant = decision.behavior === 'allow' && (request.input as { command?: string }).command === 'echo hi';
        return isMeant ? { ...decision, updatedInput: { command } } : decision;
      },
    };
    const { call } = workspace(permissions, { hosts: { shell } });
    const { code } = await call('Bash', { command: 'echo hi' });
    return { code, ran };
  }
  const rules = { allow: ['Bash'], deny: ['Read(src/**)', 'Bash(rm *)'] };

  table(
    samples`
    cat s*/a.txt ¦ cat $FILE ¦ cat src/a.txt ¦ $RUN a.txt ¦ rm a.txt ¦ git config core.hooksPath x
    echo x > .git/hooks/pre-commit`,
  )('asks like an input of the model', async (command) => {
    const { code, ran } = await rewritten(createPermissions(rules), command);
    expect(ran).toEqual([]);
    expect(['permission_denied', 'command_denied']).toContain(code);
  });

  test('does not ask again if the asked person wrote it', async () => {
    const asked: string[] = [];
    const inner = createPermissions({
      ...rules,
      ask: ['Bash(echo *)'],
      onAsk: ({ title }) => {
        asked.push(title);
        return { behavior: 'allow', updatedInput: { command: 'cat s*/a.txt' } };
      },
    });
    const permissions = wrapPermissions(inner, { check: (request, scope) => inner.check(request, scope) });
    const { call } = workspace(permissions);
    expect((await call('Bash', { command: 'echo hi' })).output).toContain('needle');
    expect(asked).toEqual(['Bash: echo hi']);
  });

  test('runs if a rule allows it', async () => {
    expect(await rewritten(createPermissions(rules), 'echo other')).toEqual({ code: 'ok', ran: ['echo other'] });
  });

  test('is judged by the host again', async () => {
    const judged: string[] = [];
    const inner = createPermissions({
      checkCommand: (command) => {
        judged.push(command);
        return command === 'echo hi' ? 'allow' : 'deny';
      },
    });
    expect(await rewritten(inner, 'touch a')).toEqual({ code: 'permission_denied', ran: [] });
    expect(judged).toEqual(['echo hi', 'touch a']);
  });
});

describe('an object that only forwards check', () => {
  const bare = (inner: Permissions): Permissions => ({ check: (request, scope) => inner.check(request, scope) });

  test('lets the inner permissions ask, one question at a time', async () => {
    let open = 0;
    const inner = createPermissions({
      onAsk: async () => {
        open++;
        await Promise.resolve();
        expect(open).toBe(1);
        open--;
        return 'allow-once';
      },
    });
    const { call } = workspace(bare(inner));
    const codes = await Promise.all(
      ['a', 'b'].map(async (name) => (await call('Bash', { command: `touch ${name}` })).code),
    );
    expect(codes).toEqual(['ok', 'ok']);
  });
});

describe('a copy of permissions', () => {
  test('adds folders to the workspace, and hides files', async () => {
    const other = temporaryFolder();
    writeFileSync(join(other, 'b.txt'), 'other\n');
    const inner = createPermissions({ deny: ['Read(**/.env)'] });
    const { call } = workspace({ ...inner });
    inner.addDirectories([other]);
    expect((await call('Read', { file_path: join(other, 'b.txt') })).code).toBe('ok');
    expect((await call('Grep', { pattern: 'needle', output_mode: 'content' })).output).not.toContain('.env');
  });

  test('with its own fixed mode is not reported as having left plan mode', async () => {
    const inner = createPermissions({ mode: 'plan', onAsk: () => 'allow-once' });
    const { root, call } = workspace({ ...inner, mode: 'plan' });
    const { output } = await call('ExitPlanMode', { plan: 'Write it.' });
    expect(output).toContain('keeps plan mode on');
    expect((await call('Write', { file_path: join(root, 'new.txt'), content: 'x' })).code).toBe('queued_for_plan');
  });
});
