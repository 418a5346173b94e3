import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/v4';
import { createFileClaims, type FileClaims, type FileClaimsOptions, mergeHooks } from '../../src/guards.js';
import { type CallScope, Tool, ToolError, type ToolHooks, type ToolkitOptions } from '../../src/index.js';
import { eachRow } from '../support/each-row.js';
import { calls, deferred, run, settle, tool } from '../support/pipeline.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { testToolkit } from '../support/test-toolkit.js';

function siblings(options: Partial<ToolkitOptions> = {}, hooksOf = (own: ToolHooks, _root: string): ToolHooks => own) {
  const root = temporaryFolder();
  const claims = createFileClaims();
  const toolkit = testToolkit({
    root,
    permissions: 'bypassPermissions',
    hooks: hooksOf(claims.hooks, root),
    ...options,
  });
  const execute = async (agentId: string, name: string, input: object, sessionId = 's') => {
    const { results } = await toolkit.execute([{ id: 'c', name, input }], { caller: { sessionId, agentId } });
    return results[0];
  };
  const write = (agentId: string, name: string, sessionId?: string) =>
    execute(agentId, 'Write', { file_path: join(root, name), content: agentId }, sessionId);
  return { root, claims, execute, write };
}

test('a second agent is denied with the name of the first until that agent ends', async () => {
  const { root, claims, write } = siblings();
  expect(await write('ann', 'a.txt')).toMatchObject({ ok: true });
  const refused = await write('bob', 'a.txt');
  expect(refused).toMatchObject({ ok: false, error: { code: 'denied_by_hook' } });
  expect(refused?.output).toContain('is being edited by ann');
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('ann');
  expect(await write('ann', 'a.txt')).toMatchObject({ ok: true });
  expect(await write('bob', 'b.txt')).toMatchObject({ ok: true });
  expect([...claims.list().values()]).toEqual(['ann', 'bob']);
  expect(claims.release({ sessionId: 's', agentId: 'ann' })).toBe(1);
  expect(await write('bob', 'a.txt')).toMatchObject({ ok: true });
});

test('agents with the same name in two sessions are different agents', async () => {
  const { write } = siblings();
  await write('ann', 'a.txt', 's1');
  expect(await write('ann', 'a.txt', 's2')).toMatchObject({ ok: false });
});

describe('every path to a file leads to its claim', () => {
  const rows = [
    ['dots', 'src/../a.txt'],
    ['a link to it', 'link.txt'],
    ['a link to its folder', 'folder/a.txt'],
    ['a dangling link', 'dangling.txt'],
  ] as const;
  test('through dots and links', () =>
    eachRow(rows, async ([, name]) => {
      const { root, write } = siblings();
      mkdirSync(join(root, 'src'));
      symlinkSync('a.txt', join(root, 'link.txt'));
      symlinkSync('.', join(root, 'folder'));
      symlinkSync('a.txt', join(root, 'dangling.txt'));
      expect(await write('ann', name === 'dangling.txt' ? name : 'a.txt')).toMatchObject({ ok: true });
      expect(await write('bob', name === 'dangling.txt' ? 'a.txt' : name)).toMatchObject({
        ok: false,
        error: { code: 'denied_by_hook' },
      });
      expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('ann');
    }));

  test('a relative path, from the root', async () => {
    const { root, claims, execute } = siblings({ relativePaths: 'resolve' });
    expect(await execute('ann', 'Write', { file_path: 'a.txt', content: 'ann' })).toMatchObject({ ok: true });
    expect([...claims.list().keys()]).toEqual([join(root, 'a.txt')]);
    expect(await execute('bob', 'Write', { file_path: join(root, 'a.txt'), content: 'bob' })).toMatchObject({
      ok: false,
    });
    expect(await execute('bob', 'Write', { file_path: './a.txt', content: 'bob' })).toMatchObject({ ok: false });
  });

  test('a path that a previous hook rewrote', async () => {
    const { claims, write } = siblings({}, (own, root) =>
      mergeHooks(
        {
          PreToolUse: [
            { hooks: [({ input }) => ({ updatedInput: { ...(input as object), file_path: join(root, 'a.txt') } })] },
          ],
        },
        own,
      ),
    );
    expect(await write('ann', 'x.txt')).toMatchObject({ ok: true });
    expect([...claims.list().keys()]).toEqual([expect.stringMatching(/a\.txt$/)]);
    expect(await write('bob', 'y.txt')).toMatchObject({ ok: false, error: { code: 'denied_by_hook' } });
  });

  test('a call of claim()', async () => {
    const { root, claims, write } = siblings();
    mkdirSync(join(root, 'src'));
    symlinkSync('src', join(root, 'folder'));
    expect(await claims.claim(join(root, 'folder', 'new.txt'), { sessionId: 's', agentId: 'ann' })).toBe('ann');
    expect(await write('bob', 'src/new.txt')).toMatchObject({ ok: false });
    expect(await claims.claim(join(root, 'src', 'new.txt'), { sessionId: 's', agentId: 'bob' })).toBe('ann');
    mkdirSync(join(root, 'src', 'deep'));
    symlinkSync('src/deep', join(root, 'link'));
    expect(await claims.claim(`${root}/link/../new.txt`, { sessionId: 's', agentId: 'bob' })).toBe('ann');
  });

  test('a call of claim() with a path format of the host', async () => {
    const claims = createFileClaims({ resolve: (path) => path.toLowerCase() });
    await claims.claim('/A', { sessionId: 's', agentId: 'ann' });
    expect(await claims.claim('/a', { sessionId: 's' })).toBe('ann');
    expect(claims.list()).toEqual(new Map([['/a', 'ann']]));
  });
});

describe('a failed edit', () => {
  const broken = (root: string) => ({ file_path: join(root, 'a.txt'), old_string: 'nowhere', new_string: 'x' });

  test('releases the claim that it made', async () => {
    const { root, claims, execute, write } = siblings();
    writeFileSync(join(root, 'a.txt'), 'one');
    expect(await execute('ann', 'Edit', broken(root))).toMatchObject({ ok: false });
    expect(claims.list().size).toBe(0);
    writeFileSync(join(root, 'b.txt'), 'one');
    expect(await write('bob', 'c.txt')).toMatchObject({ ok: true });
    expect(await execute('bob', 'Edit', broken(root))).toMatchObject({
      ok: false,
      error: { code: expect.not.stringContaining('hook') },
    });
  });

  test('keeps an earlier claim', () =>
    eachRow(['Write', 'claim'], async (how) => {
      const { root, claims, execute, write } = siblings();
      if (how === 'Write') await write('ann', 'a.txt');
      else await claims.claim(join(root, 'a.txt'), { sessionId: 's', agentId: 'ann' });
      expect(await execute('ann', 'Edit', broken(root))).toMatchObject({ ok: false });
      expect(await write('bob', 'a.txt')).toMatchObject({ ok: false, error: { code: 'denied_by_hook' } });
    }));

  test('keeps the claim while it runs', async () => {
    const gate = deferred();
    const claims = createFileClaims({ tools: ['Patch'] });
    const patch = Tool.define('Patch', {
      description: 'Patch two files.',
      input: z.object({ fail: z.boolean() }),
      sideEffect: 'mutating',
      footprint: () => ({ reads: 'nothing', writes: ['/one', '/two'] }),
      execute: async ({ fail }) => {
        await gate.promise;
        if (fail) throw new Error('failed');
        return 'patched';
      },
    });
    const as = (agentId: string, fail: boolean) =>
      run([patch], calls(['Patch', { fail }]), { hooks: claims.hooks, caller: { sessionId: 's', agentId } });
    const failing = as('ann', true);
    await settle();
    expect([...claims.list().keys()]).toEqual(['/one', '/two']);
    expect((await as('bob', false)).results[0]).toMatchObject({ ok: false, error: { code: 'denied_by_hook' } });
    gate.resolve();
    await failing;
    expect(claims.list().size).toBe(0);
    expect((await as('bob', false)).results[0]).toMatchObject({ ok: true });
    expect([...claims.list().values()]).toEqual(['bob', 'bob']);
  });
});

describe('a failed edit that may have written keeps its claim', () => {
  const stopping = (code: string) =>
    ({ timeout: { timeoutMs: 5 }, interrupted: { signal: AbortSignal.timeout(5) }, written: {} })[code];

  test('after a timeout, an abort, or with metadata.written', () =>
    eachRow(['timeout', 'interrupted', 'written'], async (code) => {
      const claims = createFileClaims({ tools: ['Patch'] });
      const execute =
        code === 'written'
          ? () =>
              Promise.reject(
                new ToolError('storage_failed', 'its times could not be read', { metadata: { written: true } }),
              )
          : () => new Promise<string>(() => {});
      const { timeoutMs, signal } = { timeoutMs: undefined, signal: undefined, ...stopping(code) };
      const patch = tool('Patch', execute, {
        sideEffect: 'mutating',
        footprint: () => ({ reads: 'nothing', writes: ['/one'] }),
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      });
      const as = async (agentId: string) => {
        const { results } = await run([patch], calls('Patch'), {
          hooks: claims.hooks,
          signal,
          caller: { sessionId: 's', agentId },
        });
        return results[0];
      };
      expect(await as('ann')).toMatchObject({
        ok: false,
        error: code === 'written' ? { metadata: { written: true } } : { code },
      });
      expect(claims.list()).toEqual(new Map([['/one', 'ann']]));
    }));
});

describe('a tool without a footprint claims the file of its path field', () => {
  const patch = (name: string, field: string) =>
    Tool.define(name, {
      description: 'Patch a file.',
      input: z.object({ [field]: z.string() }),
      sideEffect: 'mutating',
      execute: () => 'patched',
    });
  const folder = () => {
    const root = temporaryFolder();
    writeFileSync(join(root, 'a.txt'), '');
    symlinkSync('a.txt', join(root, 'link.txt'));
    return root;
  };

  const rows: readonly [string, FileClaimsOptions, string, string][] = [
    ['Write', {}, 'file_path', 'a tool in place of a built-in one'],
    ['NotebookEdit', {}, 'notebook_path', 'a notebook'],
    ['Patch', { tools: ['Patch'] }, 'path', 'a tool that is named'],
    ['Patch', { tools: { Patch: 'target' } }, 'target', 'a field that is named with its tool'],
  ];
  test('a usual path field, or the field given in tools', () =>
    eachRow(rows, async ([name, options, field]) => {
      const root = folder();
      const claims = createFileClaims(options);
      const as = async (agentId: string, file: string) => {
        const { results } = await run([patch(name, field)], calls([name, { [field]: join(root, file) }]), {
          hooks: claims.hooks,
          caller: { sessionId: 's', agentId },
        });
        return results[0]?.ok;
      };
      expect([
        await as('ann', 'a.txt'),
        await as('bob', 'a.txt'),
        await as('bob', 'link.txt'),
        await as('bob', 'b.txt'),
      ]).toEqual([true, false, false, true]);
      expect([...claims.list().values()]).toEqual(['ann', 'bob']);
    }));

  test('and releases it after a failure', async () => {
    const claims = createFileClaims({ tools: ['Patch'] });
    const failing = tool('Patch', () => Promise.reject(new Error('no')), { sideEffect: 'mutating' });
    const { results } = await run([failing], calls(['Patch', { path: '/one' }]), { hooks: claims.hooks });
    expect([results[0]?.ok, claims.list().size]).toEqual([false, 0]);
  });

  test('with a path format of the host', async () => {
    const claims = createFileClaims({ resolve: async (path) => path.toLowerCase() });
    await run([tool('Write', () => '', { sideEffect: 'mutating' })], calls(['Write', { file_path: '/A' }]), {
      hooks: claims.hooks,
    });
    expect([...claims.list().keys()]).toEqual(['/a']);
  });
});

describe('events without a footprint', () => {
  const scope = (agentId: string): CallScope => ({
    caller: { sessionId: 's', agentId },
    signal: new AbortController().signal,
  });
  const hooksOf = ({ hooks }: FileClaims) => ({
    ask: (tool: string, input: unknown, agentId: string) =>
      hooks.PreToolUse?.[0]?.hooks?.[0]?.({ callId: 'c', tool, input }, scope(agentId)),
    failed: (tool: string, input: unknown, agentId: string) =>
      hooks.PostToolUseFailure?.[0]?.hooks?.[0]?.(
        { callId: 'c', tool, input, error: new ToolError('no_match', 'no') },
        scope(agentId),
      ),
  });

  test('claim and release by the path fields of the built-in tools', async () => {
    const claims = createFileClaims();
    const { ask, failed } = hooksOf(claims);
    for (const [tool, input] of [
      ['Edit', { file_path: '/nowhere/a' }],
      ['NotebookEdit', { notebook_path: '/nowhere/b' }],
    ] as const) {
      expect(await ask(tool, input, 'ann')).toEqual({});
      expect(await ask(tool, input, 'bob')).toMatchObject({ decision: 'deny' });
      await failed(tool, input, 'ann');
      expect(await ask(tool, input, 'bob')).toEqual({});
    }
    expect(await ask('UndoTurn', { path: '/nowhere/c' }, 'ann')).toMatchObject({ decision: 'deny' });
  });
});

test('an invalid input passes the claims, because it is refused later', async () => {
  const { root, claims, write } = siblings({}, (own) =>
    mergeHooks(
      {
        PreToolUse: [
          {
            hooks: [
              ({ input }, { caller }) =>
                caller.agentId === 'bob' ? { updatedInput: { ...(input as object), content: 5 } } : {},
            ],
          },
        ],
      },
      own,
    ),
  );
  await write('ann', 'a.txt');
  expect(await write('bob', 'b.txt')).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
  expect([...claims.list()]).toEqual([[join(root, 'a.txt'), 'ann']]);
});

test('without a claim', () =>
  eachRow<FileClaimsOptions>([{}, { tools: { Write: 'file_path' } }], async (options) => {
    const claims = createFileClaims(options);
    const write = Tool.define('Write', {
      description: 'Write.',
      input: z.object({ file_path: z.string(), content: z.string() }),
      sideEffect: 'mutating',
      execute: () => 'written',
    });
    const spoil: ToolHooks = { PreToolUse: [{ hooks: [() => ({ updatedInput: { file_path: '/one' } })] }] };
    const { results } = await run([write], calls(['Write', { file_path: '/one', content: '' }]), {
      hooks: mergeHooks(spoil, claims.hooks),
    });
    expect([results[0], claims.list().size]).toMatchObject([{ error: { code: 'invalid_input' } }, 0]);
  }));

test('an edit with unknown files is denied while another agent of the session has a claim', async () => {
  const claims = createFileClaims({ tools: ['my-edit'] });
  const edit = tool('my-edit', () => 'edited', { sideEffect: 'mutating' });
  const as = async (agentId: string, sessionId = 's') => {
    const { results } = await run([edit], calls('my-edit'), { hooks: claims.hooks, caller: { sessionId, agentId } });
    return results[0]?.ok;
  };
  await claims.claim('/a', { sessionId: 's', agentId: 'ann' });
  expect([await as('bob'), await as('ann'), await as('bob', 'other')]).toEqual([false, true, true]);
  claims.release({ sessionId: 's', agentId: 'ann' });
  expect(await as('bob')).toBe(true);
});

test('reading needs no claim', async () => {
  const { root, claims, execute, write } = siblings();
  await write('ann', 'a.txt');
  expect(await execute('bob', 'Read', { file_path: join(root, 'a.txt') })).toMatchObject({ ok: true });
  expect(claims.list().size).toBe(1);
});

const mistakes: readonly [unknown, string][] = [
  [{ tool: [] }, 'createFileClaims: tool is no option. Did you mean "tools"?'],
  [{ tools: { Write: 5 } }, 'createFileClaims: tools takes a list of names, or an object of fields by name'],
  [{ tools: 'Write' }, 'createFileClaims: tools takes a list of names'],
  [{ resolve: 'real' }, 'createFileClaims: resolve takes a function'],
  [null, 'createFileClaims takes an object, not null'],
];
test('invalid options are rejected by name', () =>
  eachRow(mistakes, ([options, message]) => expect(() => createFileClaims(options as never)).toThrow(message)));
