import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/v4';
import type { PermissionsOptions } from '../../src/core.js';
import { createPermissions, createToolkit, executeTools, Tool, ToolRegistry } from '../../src/index.js';
import { table } from '../support/each-row.js';
import { calls, tool } from '../support/pipeline.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { testToolkit } from '../support/test-toolkit.js';

/** A tool without targets, under any name. */
function own(name: string, field: string) {
  const input = z.object({ [field]: z.string() }).loose();
  return Tool.define(name, { description: 'Mine.', input, sideEffect: 'spawns', replace: true, execute: () => 'ran' });
}

async function codeOf(
  tools: readonly Tool[],
  call: readonly [string, object],
  options: PermissionsOptions,
): Promise<string> {
  const permissions = createPermissions({ mode: 'bypassPermissions', root: '/ws', ...options });
  const { results } = await executeTools(calls(call), { registry: new ToolRegistry().register(...tools), permissions });
  return results[0]?.ok === false ? results[0].error.code : 'ok';
}

describe('a custom tool with the name of a built-in one has the targets of the fields of that tool', () => {
  table<[string, string, string, string, string]>([
    ['Bash', 'command', 'git push -f', 'git status', 'Bash(git push *)'],
    ['run_command', 'command', 'git push -f', 'git status', 'Bash(git push *)'],
    ['Read', 'file_path', '/ws/.env', '/ws/a', 'Read(**/.env)'],
    ['read_file', 'file_path', '/ws/.env', '/ws/a', 'Read(**/.env)'],
    ['Write', 'file_path', '/ws/src/a', '/ws/a', 'Edit(src/**)'],
    ['NotebookEdit', 'notebook_path', '/ws/src/a', '/ws/a', 'Edit(src/**)'],
    ['WebFetch', 'url', 'https://a.example.com/x', 'https://example.org', 'WebFetch(domain:example.com)'],
    ['Task', 'subagent_type', 'deployer', 'reviewer', 'Agent(deployer)'],
  ])('by its field', async (name, field, caught, free, rule) => {
    for (const list of ['deny', 'ask'] as const) {
      const code = (value: string) => codeOf([own(name, field)], [name, { [field]: value }], { [list]: [rule] });
      expect([await code(caught), await code(free)]).toEqual(['permission_denied', 'ok']);
    }
  });

  test('in a workspace, with links resolved', async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, 'secret'));
    writeFileSync(join(root, 'secret', 'key'), '');
    symlinkSync(join(root, 'secret'), join(root, 'open'));
    const permissions = createPermissions({ mode: 'bypassPermissions', deny: ['Read(secret/**)'] });
    const toolkit = testToolkit({ root, permissions });
    toolkit.registry.register(own('Read', 'file_path'));
    const { results } = await toolkit.execute(
      calls(['Read', { file_path: join(root, 'open', 'key') }], ['Read', { file_path: join(root, 'a') }]),
    );
    expect(results.map(({ ok }) => ok)).toEqual([false, true]);
  });

  test('an allow rule matches it too, and acceptEdits allows changes of files inside', async () => {
    const options = { mode: 'default', allow: ['Bash(npm test *)'] } as const;
    const code = (command: string) => codeOf([own('Bash', 'command')], ['Bash', { command }], options);
    expect([await code('npm test'), await code('npm i')]).toEqual(['ok', 'permission_denied']);
  });
});

describe('a pattern for a tool without targets', () => {
  table<[string, string]>([
    ['Deploy', 'Deploy(production)'],
    ['Bash', 'Bash(git push *)'],
    ['mcp__mail__send', 'mcp__mail__*(to:*)'],
  ])('asks', async (name, rule) => {
    const code = (options: PermissionsOptions) => codeOf([own(name, 'cmd')], [name, { cmd: 'git push' }], options);
    expect([await code({ deny: [rule] }), await code({ ask: [rule] })]).toEqual(Array(2).fill('permission_denied'));
    let asked = 0;
    const onAsk = () => {
      asked += 1;
      return 'allow-once' as const;
    };
    expect(await code({ deny: [rule], onAsk })).toBe('ok');
    expect(asked).toBe(1);
  });

  test('for all tools does not ask', async () => {
    expect(await codeOf([own('Deploy', 'cmd')], ['Deploy', { cmd: 'x' }], { deny: ['*(production)'] })).toBe('ok');
  });
});

describe('a bare Read or Edit in a deny or ask rule matches every tool that shows or changes files', () => {
  async function refused(rules: PermissionsOptions): Promise<string[]> {
    const root = temporaryFolder();
    const outside = join(temporaryFolder(), 'b');
    for (const path of [join(root, 'a'), outside]) writeFileSync(path, 'text');
    const extra = join(outside, '..');
    const permissions = createPermissions({ mode: 'bypassPermissions', ...rules });
    const toolkit = testToolkit({ root, additionalRoots: [extra], permissions });
    const { results } = await toolkit.execute([
      { id: 'Read', name: 'Read', input: { file_path: join(root, 'a') } },
      { id: 'Grep', name: 'Grep', input: { pattern: 'text' } },
      { id: 'cat', name: 'Bash', input: { command: `cat ${outside}` } },
      { id: 'Write', name: 'Write', input: { file_path: outside, content: 'text' } },
      { id: 'Edit', name: 'Edit', input: { file_path: join(root, 'a'), old_string: 'text', new_string: 'text ' } },
      { id: 'touch', name: 'Bash', input: { command: `touch ${outside}` } },
      { id: 'echo', name: 'Bash', input: { command: 'echo a' } },
    ]);
    return results.flatMap(({ ok, callId }) => (ok ? [] : [callId]));
  }

  test.each<[PermissionsOptions, readonly string[]]>([
    // A file that must not be shown is not changed either, because a change shows its content.
    [{ deny: ['Read'] }, ['Read', 'Grep', 'cat', 'Write', 'Edit']],
    [{ ask: ['read_file'] }, ['Read', 'Grep', 'cat']],
    [{ deny: ['Read(**)'] }, ['Read', 'Grep', 'cat', 'Write', 'Edit']],
    [{ deny: ['Edit'] }, ['Write', 'Edit', 'touch']],
    [{ ask: ['Edit'] }, ['Write', 'Edit', 'touch']],
    [{ deny: ['Write'] }, ['Write']],
    [{ mode: 'default', allow: ['Read', 'Edit'] }, ['cat', 'Write', 'touch', 'echo']],
  ])('%j', async (rules, wanted) => {
    expect(await refused(rules)).toEqual(wanted);
  });

  test('an allowed search shows its matches', async () => {
    const root = temporaryFolder();
    writeFileSync(join(root, 'a'), 'text');
    const permissions = createPermissions({ ask: ['Read'], onAsk: () => 'allow-once' });
    await using toolkit = createToolkit({ root, permissions });
    expect((await toolkit.call('Grep', { pattern: 'text' })).output).toBe(join(root, 'a'));
  });
});

describe('a rule with a misspelt tool name', () => {
  const make = (rules: PermissionsOptions) => {
    const _toolkit = testToolkit({ permissions: createPermissions(rules) });
  };

  table<[PermissionsOptions, string]>([
    [{ deny: ['Raed(**/.env)'] }, 'Read'],
    [{ ask: ['Wirte'] }, 'Write'],
    [{ deny: ['bsah(rm *)'] }, 'Bash'],
    [{ deny: ['Edti'] }, 'Edit'],
    [{ deny: ['Gerp'] }, 'Grep'],
    [{ deny: ['Baash'] }, 'Bash'],
    [{ deny: ['Readd'] }, 'Read'],
    [{ allow: ['NotebokEdit'] }, 'NotebookEdit'],
    [{ allow: ['NotebookEidt'] }, 'NotebookEdit'],
    [{ allow: ['WebFecth(domain:example.com)'] }, 'WebFetch'],
  ])('is rejected when the toolkit is made', (rules, meant) => {
    expect(() => make(rules)).toThrow(new RegExp(`which is not a tool. Did you mean "${meant}"`));
  });

  test('is accepted if a later tool may have the name', () => {
    const known = 'read exec List ToolSearch ApplyPatch sessions_spawn mcp__raed__x Greet Publish * B* fs';
    const alike =
      'WriteFile EditFile ReadFiles Reader Ready Reads WebFetcher Hash Dash Bash2 Bush Tasks Task2 TaskLists Globe Edits write2 run-command sf';
    const names = `${known} ${alike}`.split(' ');
    for (const list of ['allow', 'ask', 'deny'] as const) expect(() => make({ [list]: names })).not.toThrow();
  });

  test('is rejected later too, with all rules of the same call, unless a tool has the name by then', async () => {
    const permissions = createPermissions({ mode: 'bypassPermissions' });
    const toolkit = testToolkit({ permissions });
    expect(() => permissions.addRules({ deny: ['Ping', 'Raed(**/.env)'] })).toThrow('Did you mean "Read"');
    toolkit.registry.register(
      tool('Ping', () => 'pong'),
      tool('Raed', () => 'ran'),
    );
    expect((await toolkit.execute(calls('Ping', 'Raed'))).results.map(({ ok }) => ok)).toEqual([true, true]);
    permissions.addRules({ deny: ['Raed'] });
    expect((await toolkit.execute(calls('Ping', 'Raed'))).results.map(({ ok }) => ok)).toEqual([true, false]);
  });
});

describe('a tool of risk none', () => {
  test('runs without configuration unless a rule matches it or it is of a server', async () => {
    const root = temporaryFolder();
    const code = async (permissions?: ReturnType<typeof createPermissions>) => {
      const toolkit = testToolkit({ root, permissions });
      toolkit.registry.register(
        tool('Ping', () => 'pong'),
        tool('mcp__x__ping', () => 'pong'),
        tool('MCP__y__ping', () => 'pong'),
        tool('mcp__z__ping', () => 'pong'),
      );
      toolkit.registry.allow('mcp__z__ping');
      const { results } = await toolkit.execute(calls('Ping', 'mcp__x__ping', 'MCP__y__ping', 'mcp__z__ping'));
      return results.map(({ ok }) => ok);
    };
    expect(await code()).toEqual([true, false, false, true]);
    expect(await code(createPermissions({ autoAllow: 'low-risk' }))).toEqual([true, false, false, true]);
    expect(await code(createPermissions({ autoAllow: false }))).toEqual([false, false, false, false]);
    expect(await code(createPermissions({ ask: ['Ping'] }))).toEqual([false, false, false, true]);
  });
});
