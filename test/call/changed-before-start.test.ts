import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod/v4';
import { createPermissions, Tool, type ToolkitOptions } from '../../src/index.js';
import type { Shell } from '../../src/ports/shell.js';
import { eachRow } from '../support/each-row.js';
import { calls, run } from '../support/pipeline.js';
import { shellOutcome } from '../support/shell-outcome.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { testToolkit } from '../support/test-toolkit.js';

/** A workspace in which `src` can become a link to another folder. */
function workspace() {
  const root = temporaryFolder();
  for (const folder of ['src', 'secrets', '.husky']) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, 'src/a.txt'), 'a');
  const replaceSrc = (target: string) => {
    renameSync(join(root, 'src'), join(root, 'old'));
    symlinkSync(target, join(root, 'src'));
  };
  return { root, replaceSrc };
}

/** The waits for the host between the decision about a call and its start, in each of which `change` runs. */
function waits(change: () => void): Readonly<Record<string, Partial<ToolkitOptions>>> {
  return {
    'a hook': { hooks: { PreToolUse: [{ hooks: [async () => change()] }] } },
    'the rate limiter': {
      rateLimiter: {
        take: async () => {
          change();
          return { ok: true, remaining: 1 };
        },
      },
    },
  };
}

test('a file is not written if its path leads to another file by then', async () => {
  await eachRow(
    [
      ['secrets', 'a hook'],
      ['secrets', 'the rate limiter'],
      ['.husky', 'a hook'],
    ] as const,
    async ([target, wait]) => {
      const { root, replaceSrc } = workspace();
      const permissions = createPermissions({ root, allow: ['Edit(src/**)'], deny: ['Edit(secrets/**)'] });
      const toolkit = testToolkit({ root, permissions, ...waits(() => replaceSrc(target))[wait] });
      const result = await toolkit.call('Write', { file_path: join(root, 'src/new.txt'), content: 'x' });
      expect(result).toMatchObject({ ok: false, error: { code: 'file_changed' } });
      expect(result.output).toMatch(/since .* was decided.*again/i);
      expect(existsSync(join(root, target, 'new.txt'))).toBe(false);
    },
  );
});

test('a path may change while a person is asked', async () => {
  const { root, replaceSrc } = workspace();
  const onAsk = () => {
    replaceSrc('secrets');
    return 'allow-once' as const;
  };
  const permissions = createPermissions({ root, deny: ['Edit(secrets/**)'], onAsk });
  const toolkit = testToolkit({ root, permissions });
  const result = await toolkit.call('Write', { file_path: join(root, 'src/new.txt'), content: 'x' });
  expect(result).toMatchObject({ ok: false, error: { code: 'file_changed' } });
  expect(existsSync(join(root, 'secrets/new.txt'))).toBe(false);
});

test('a path that leads out of the workspace by then is refused for that', async () => {
  const { root, replaceSrc } = workspace();
  const outside = temporaryFolder();
  const toolkit = testToolkit({ root, permissions: 'acceptEdits', ...waits(() => replaceSrc(outside))['a hook'] });
  const result = await toolkit.call('Write', { file_path: join(root, 'src/new.txt'), content: 'x' });
  expect(result).toMatchObject({ ok: false, error: { code: 'path_outside_root' } });
});

test('a tool of the host is refused in the same way', async () => {
  const { root, replaceSrc } = workspace();
  const permissions = createPermissions({ root, deny: ['Edit(secrets/**)'], allow: ['Save'] });
  const toolkit = testToolkit({ root, permissions, ...waits(() => replaceSrc('secrets'))['a hook'] });
  toolkit.registry.register(
    Tool.define('Save', {
      description: 'Saves a text.',
      input: z.object({ path: z.string() }),
      sideEffect: 'mutating',
      targets: ({ path }) => [{ kind: 'edit', path }],
      execute: ({ path }) => {
        writeFileSync(path, 'x');
        return 'saved';
      },
    }),
  );
  const result = await toolkit.call('Save', { path: join(root, 'src/new.txt') });
  expect(result).toMatchObject({ ok: false, error: { code: 'file_changed' } });
  expect(existsSync(join(root, 'secrets/new.txt'))).toBe(false);
});

test('another path to the same file is not a change, and no tool is assessed again without a wait', async () => {
  const { root } = workspace();
  symlinkSync('src', join(root, 'link'));
  const hooked = testToolkit({ root, permissions: 'acceptEdits', ...waits(() => {})['a hook'] });
  const spelled = `${root}/link/../src/./a.txt`;
  expect(await hooked.call('Write', { file_path: spelled, content: 'b' })).toMatchObject({ ok: true });
  expect(readFileSync(join(root, 'src/a.txt'), 'utf8')).toBe('b');
  const assessed: string[] = [];
  const own = (name: string, targets: object) =>
    Tool.define(name, {
      description: 'Does nothing.',
      input: z.object({}),
      sideEffect: 'mutating',
      targets: () => {
        assessed.push(name);
        return targets as never;
      },
      execute: () => 'done',
    });
  const reads = own('Reads', [{ kind: 'read', path: '/w/a' }]);
  const edits = own('Edits', [{ kind: 'edit', path: '/w/a' }]);
  const hooks = { PreToolUse: [{ hooks: [() => undefined] }] };
  const permissions = createPermissions({ mode: 'bypassPermissions' });
  for (const options of [{ permissions }, { permissions, hooks }])
    for (const name of ['Reads', 'Edits']) await run([reads, edits], calls(name), options);
  expect(assessed).toEqual(['Reads', 'Edits', 'Reads', 'Edits', 'Edits']);
});

test('a deny rule that is added before the start applies to the call', async () => {
  await eachRow(['a hook', 'the rate limiter'], async (wait) => {
    const { root } = workspace();
    const permissions = createPermissions({ root, mode: 'bypassPermissions' });
    const add = () => permissions.addRules({ deny: ['Edit(src/**)'] });
    const toolkit = testToolkit({ root, permissions, ...waits(add)[wait] });
    const result = await toolkit.call('Write', { file_path: join(root, 'src/new.txt'), content: 'x' });
    expect(result).toMatchObject({ ok: false, error: { code: 'permission_denied' } });
    expect(result.output).toContain('Edit(src/**)');
    expect(existsSync(join(root, 'src/new.txt'))).toBe(false);
  });
});

test('a call that rules allowed does not run if they no longer do', async () => {
  await eachRow(
    [
      (permissions) => permissions.addRules({ ask: ['Write'] }),
      (permissions) => permissions.removeRules({ allow: ['Write'] }),
      (permissions) => permissions.setMode('plan'),
    ] as ((permissions: ReturnType<typeof createPermissions>) => void)[],
    async (change) => {
      const { root } = workspace();
      const permissions = createPermissions({ root, allow: ['Write'] });
      const toolkit = testToolkit({ root, permissions, ...waits(() => change(permissions))['a hook'] });
      const result = await toolkit.call('Write', { file_path: join(root, 'src/new.txt'), content: 'x' });
      expect(result).toMatchObject({ ok: false, error: { code: 'file_changed' } });
      expect(existsSync(join(root, 'src/new.txt'))).toBe(false);
    },
  );
});

test('a command does not run if a file that it names leads to a denied file by then', async () => {
  const { root, replaceSrc } = workspace();
  const permissions = createPermissions({ root, mode: 'bypassPermissions', deny: ['Edit(secrets/**)'] });
  const ran: string[] = [];
  const run: Shell['run'] = async ({ command }) => {
    ran.push(command);
    return shellOutcome();
  };
  const hosts = { shell: { run } };
  const toolkit = testToolkit({ root, permissions, hosts, ...waits(() => replaceSrc('secrets'))['a hook'] });
  const result = await toolkit.call('Bash', { command: 'echo x > src/a.txt' });
  expect(result).toMatchObject({ ok: false });
  expect(ran).toEqual([]);
});

test('another change of the rules before the start changes nothing, and an allowed call is decided once', async () => {
  const { root } = workspace();
  const permissions = createPermissions({ root, mode: 'bypassPermissions' });
  let decided = 0;
  const counted = Object.assign(Object.create(permissions) as typeof permissions, {
    decide: ((request, caller) => {
      decided += 1;
      return permissions.decide?.(request, caller);
    }) satisfies typeof permissions.decide,
  });
  const rules = [['Bash(rm *)'], []];
  const add = () => permissions.addRules({ deny: rules.shift() ?? [] });
  const toolkit = testToolkit({ root, permissions: counted, ...waits(add)['a hook'] });
  const write = () => toolkit.call('Write', { file_path: join(root, 'src/new.txt'), content: 'x' });
  expect(await write()).toMatchObject({ ok: true });
  expect(decided).toBe(2);
  expect(await write()).toMatchObject({ ok: true });
  expect(decided).toBe(3);
});

test('a command that was proven read-only does not run if it no longer is', async () => {
  const { root } = workspace();
  const ran: string[] = [];
  const shell: Shell = {
    run: async ({ command }) => {
      ran.push(command);
      return shellOutcome();
    },
  };
  const change = () => {
    renameSync(join(root, 'src/a.txt'), join(root, 'src/b.txt'));
    symlinkSync('/etc/passwd', join(root, 'src/a.txt'));
  };
  const options: Partial<ToolkitOptions> = {
    permissions: createPermissions({ root, autoAllow: 'low-risk' }),
    hosts: { shell },
    ...waits(change)['a hook'],
  };
  const toolkit = testToolkit({ root, ...options });
  const command = 'cat src/a.txt';
  const result = await toolkit.call('Bash', { command });
  expect(result).toMatchObject({ ok: false, error: { code: 'file_changed' } });
  expect(result.output).toMatch(/workspace .*changed since .* was judged.*again/i);
  expect(ran).toEqual([]);
  const again = testToolkit({ root, ...options, hooks: {} });
  expect(await again.call('Bash', { command })).toMatchObject({ error: { code: 'permission_denied' } });
});

test('a deny rule that is added while check decides applies', async () => {
  let version = '1';
  const toolkit = testToolkit({
    permissions: {
      get version() {
        return version;
      },
      decide: () => (version === '1' ? undefined : { behavior: 'deny', message: 'no longer' }),
      check: async () => {
        version = '2';
        return { behavior: 'allow' };
      },
    },
  });
  const result = await toolkit.call('Glob', { pattern: '*' });
  expect(result).toMatchObject({ ok: false, error: { code: 'permission_denied' } });
});
