import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/v4';
import type { RulePermissions, Target } from '../../src/core.js';
import {
  createPermissions,
  executeTools,
  type PermissionRequest,
  Tool,
  type ToolkitOptions,
  ToolRegistry,
} from '../../src/index.js';
import { memoryFiles } from '../../src/testing/index.js';
import { table } from '../support/each-row.js';
import { permissionRequest } from '../support/permission-request.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { testToolkit } from '../support/test-toolkit.js';

/** A custom tool that writes any path, with the name of an editing tool. */
function ownWrite(name = 'Write', more: object = {}, write = (path: string) => writeFileSync(path, 'x')) {
  return Tool.define(name, {
    description: 'Writes a file anywhere.',
    input: z.object({ file_path: z.string() }),
    sideEffect: 'mutating',
    replace: true,
    targets: ({ file_path }): Target[] => [{ kind: 'edit', path: file_path, ...more }],
    execute: ({ file_path }) => {
      write(file_path);
      return 'wrote';
    },
  });
}

function workspace(options: Partial<ToolkitOptions> = {}, more: object = {}) {
  const [root, extra, other] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  mkdirSync(join(root, 'src'));
  symlinkSync(other, join(root, 'out'));
  symlinkSync(join(root, 'src'), join(other, 'in'));
  const toolkit = testToolkit({ root, additionalRoots: [extra], permissions: 'acceptEdits', ...options });
  for (const name of ['Write', 'Edit', 'NotebookEdit']) toolkit.registry.register(ownWrite(name, more));
  const write = async (path: string, name = 'Write') => {
    const { results } = await toolkit.execute([{ id: 'c', name, input: { file_path: path } }]);
    return results[0]?.ok === false ? results[0].error.code : 'ok';
  };
  return { root, extra, other, write };
}

describe('acceptEdits allows custom tools to change files inside the roots only', () => {
  table(['Write', 'Edit', 'NotebookEdit'])('for any name of the tool', async (name) => {
    const { root, extra, other, write } = workspace();
    const inside = [join(root, 'a'), join(root, 'src/deep/../b'), join(extra, 'a'), join(other, 'in/c')];
    for (const path of inside) expect([path, await write(path, name)]).toEqual([path, 'ok']);
    const outside = [join(other, 'a'), join(root, 'out/a'), `${root}/../escaped`, `${root}-sibling`, 'relative'];
    outside.push('/proc/self/comm');
    for (const path of outside) {
      expect([path, await write(path, name)]).toEqual([path, 'permission_denied']);
      if (path !== '/proc/self/comm') expect(existsSync(path)).toBe(false);
    }
  });

  test('also if the tool resolves relative patterns from another folder', async () => {
    for (const given of ['/', temporaryFolder()]) {
      const { root, extra, other, write } = workspace({}, { root: given });
      expect([await write(join(root, 'a')), await write(join(extra, 'a'))]).toEqual(['ok', 'ok']);
      for (const path of [join(other, 'a'), join(given, 'a')]) expect(await write(path)).toBe('permission_denied');
    }
  });

  test('a call of several files runs if all of them are inside', async () => {
    const { root, other, write } = workspace();
    expect(await write(join(root, 'a'))).toBe('ok');
    const toolkit = testToolkit({ root, permissions: 'acceptEdits' });
    const paths = [join(root, 'a'), join(other, 'a')];
    toolkit.registry.register(
      Tool.define('Edit', {
        description: 'Changes two files.',
        input: z.object({}),
        sideEffect: 'mutating',
        replace: true,
        targets: () => paths.map((path) => ({ kind: 'edit', path }) as const),
        execute: () => 'changed',
      }),
    );
    const { results } = await toolkit.execute([{ id: 'c', name: 'Edit', input: {} }]);
    expect(results).toMatchObject([{ error: { code: 'permission_denied' } }]);
  });

  test('an added folder counts from the next turn on', async () => {
    const permissions = createPermissions({ mode: 'acceptEdits' });
    const { other, write } = workspace({ permissions });
    expect(await write(join(other, 'a'))).toBe('permission_denied');
    permissions.addDirectories([other]);
    expect(await write(join(other, 'a'))).toBe('ok');
  });

  test('an allow rule and an answer still allow files outside', async () => {
    const asked: string[] = [];
    const permissions = createPermissions({
      mode: 'acceptEdits',
      allow: ['Edit(//**/fine)'],
      onAsk: ({ title }) => {
        asked.push(title);
        return 'allow-once';
      },
    });
    const { root, other, write } = workspace({ permissions });
    expect([await write(join(other, 'fine')), await write(join(root, 'a')), asked]).toEqual(['ok', 'ok', []]);
    expect(await write(join(other, 'a'))).toBe('ok');
    expect(asked).toHaveLength(1);
  });

  test('files of the host and mounts are inside if their file systems serve them', async () => {
    const files = memoryFiles({ root: '/ws', files: {} });
    const mounted = memoryFiles({ root: '/notes', files: {} });
    const toolkit = testToolkit({
      root: files.root,
      permissions: 'acceptEdits',
      hosts: { files },
      mounts: [{ path: '/notes', files: mounted }],
    });
    const write = async (path: string) => {
      const { results } = await toolkit.execute([{ id: 'c', name: 'Write', input: { file_path: path, content: 'x' } }]);
      return results[0]?.ok;
    };
    expect([await write('/ws/a'), await write('/notes/a'), await write('/etc/a')]).toEqual([true, true, false]);
    toolkit.registry.register(ownWrite('Write', {}, () => {}));
    expect([await write('/ws/a'), await write('/notes/a'), await write('/etc/a')]).toEqual([true, true, false]);
  });
});

describe('acceptEdits allows read-only tools', () => {
  const own = (name: string, more: object = {}) =>
    Tool.define(name, {
      description: 'Reads a table.',
      input: z.object({ path: z.string().optional() }),
      sideEffect: 'readonly',
      execute: () => 'read',
      ...more,
    });
  const reads = {
    targets: ({ path = '' }: { readonly path?: string | undefined }) => [{ kind: 'read', path } as const],
  };
  const tools = () => [
    own('Query'),
    own('Look', reads),
    own('Costly', { risk: () => 'medium' }),
    own('Fetch', { sideEffect: 'network', risk: () => 'low' }),
    own('Run', { targets: () => [{ kind: 'command', command: 'make' }] }),
    own('mcp__db__query'),
    own('Asking', { verdict: () => ({ behavior: 'ask', reason: 'It says so.' }) }),
  ];
  const ran = async (permissions: ToolkitOptions['permissions'], paths: readonly string[] = []) => {
    const root = temporaryFolder();
    const toolkit = testToolkit({ root, permissions });
    toolkit.registry.register(...tools());
    const calls = toolkit.registry.names().filter((name) => tools().some((one) => one.name === name));
    const names: string[] = [];
    for (const name of calls) if ((await toolkit.call(name, {})).ok) names.push(name);
    for (const path of paths)
      if ((await toolkit.call('Look', { path: path.replace('root', root) })).ok) names.push(path);
    return names;
  };

  test('if they read inside the roots, are not of a server, and have a low risk', async () => {
    expect(await ran('acceptEdits', ['root/a', '/etc/passwd'])).toEqual(['Query', 'root/a']);
    const permissions = createPermissions({ mode: 'acceptEdits', ask: ['Query'] });
    expect(await ran(permissions, ['root/a'])).toEqual(['root/a']);
  });

  test.each([
    ['default', createPermissions()],
    ['autoAllow: false', createPermissions({ mode: 'acceptEdits', autoAllow: false })],
    ['dontAsk', createPermissions({ mode: 'dontAsk' })],
  ])('but none with %s', async (_, permissions) => {
    expect(await ran(permissions, ['root/a'])).toEqual([]);
  });
});

describe('without a file system, paths are compared with the root and the added folders', () => {
  const request = (path: string, more: Partial<PermissionRequest> = {}) =>
    permissionRequest('Write', { input: { file_path: path }, ...more });
  const named = (path: string, more: object = {}) => request(path, { targets: [{ kind: 'edit', path, ...more }] });
  const behavior = (permissions: RulePermissions, asked: PermissionRequest) => permissions.explain(asked).behavior;

  table(['/ws/a', '/ws/src/../b', 'relative', '/ws/..a', '/more/a', '/late/deep/a'])(
    'a path inside is allowed',
    (path) => {
      const permissions = createPermissions({ mode: 'acceptEdits', root: '/ws' });
      permissions.addDirectories(['/more']);
      permissions.takeDirectories();
      permissions.addDirectories(['/late/']);
      expect(behavior(permissions, request(path))).toBe('allow');
      expect(permissions.decide?.(request(path), { sessionId: 's' })).toEqual({ behavior: 'allow' });
      if (path !== 'relative') expect(behavior(permissions, named(path))).toBe('allow');
    },
  );

  table(['/etc/passwd', '/ws/../etc/passwd', '/wsx/a', '/', '../a', '/more/a'])('a path outside asks', (path) => {
    const permissions = createPermissions({ mode: 'acceptEdits', root: '/ws' });
    for (const asked of [request(path), named(path), named(path, { root: '/' })]) {
      expect(permissions.explain(asked)).toMatchObject({ behavior: 'ask', source: 'mode' });
      expect(permissions.decide?.(asked, { sessionId: 's' })?.behavior).toBe('ask');
    }
  });

  test('isInside of the request has precedence', () => {
    const permissions = createPermissions({ mode: 'acceptEdits', root: '/ws' });
    expect(behavior(permissions, named('/extra/a', { isInside: true }))).toBe('allow');
    expect(behavior(permissions, named('/ws/link', { isInside: false }))).toBe('ask');
  });

  test('also in runs without a toolkit', async () => {
    const [root, other] = [temporaryFolder(), temporaryFolder()];
    const run = async (path: string) => {
      const permissions = createPermissions({ mode: 'acceptEdits', root });
      const registry = new ToolRegistry().register(ownWrite());
      return (await executeTools([{ id: 'c', name: 'Write', input: { file_path: path } }], { registry, permissions }))
        .results[0]?.ok;
    };
    expect([await run(join(root, 'a')), await run(join(other, 'a'))]).toEqual([true, false]);
  });
});
