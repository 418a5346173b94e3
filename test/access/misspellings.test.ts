import { expect, onTestFinished, test, vi } from 'vitest';
import type { PolicyConfig } from '../../src/access/policy/policy-config.js';
import { toolAliases } from '../../src/core/tool-names.js';
import { createPermissions, createPolicy, type ToolEvent, type ToolkitOptions } from '../../src/index.js';
import { eachRow } from '../support/each-row.js';
import { FakeMcpClient } from '../support/fake-mcp-client.js';
import { calls, run, tool } from '../support/pipeline.js';
import { testToolkit } from '../support/test-toolkit.js';

type Warned = readonly [rule: string, near: string | undefined];

/** A toolkit, what its turns warn of by events, and what the process is warned of. */
function world(options: Partial<ToolkitOptions> = {}) {
  const emitted = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  onTestFinished(() => emitted.mockRestore());
  const events: ToolEvent[] = [];
  const toolkit = testToolkit({ onEvent: (event) => events.push(event), ...options });
  const warned = async (): Promise<readonly Warned[]> => {
    await toolkit.execute(calls(['TodoWrite', { todos: [] }]));
    const heard = events.filter((event) => event.type === 'rule-warning');
    const codes = emitted.mock.calls.filter(([, more]) => (more as { code?: string }).code === 'TOOLWRIGHT_RULE');
    expect(codes.map(([text]) => String(text).split(':')[0])).toEqual(heard.map(({ rule }) => rule.split(':')[0]));
    for (const [index, { near }] of heard.entries())
      if (near !== undefined) expect(codes[index]?.[0]).toContain(`Did you mean "${near}"?`);
    return heard.map(({ rule, near }) => [rule, near]);
  };
  return { toolkit, warned, emitted, events };
}

test('a name in a policy that can only be a slip of a known one is refused, by a toolkit and by executeTools', async () => {
  const rows: readonly (readonly [PolicyConfig, string])[] = [
    [{ deny: ['Bsh'] }, 'Bash'],
    [{ deny: ['bahs'] }, 'Bash'],
    [{ allow: ['Raed', 'Edit'] }, 'Read'],
    [{ allow: ['Read'], alsoAllow: ['WebFecth'] }, 'WebFetch'],
    [{ byAgent: { a: { deny: ['Wirte'] } } }, 'Write'],
    [{ byAgent: { a: { byProvider: { b: { deny: ['NotebokEdit'] } } } } }, 'NotebookEdit'],
    [{ byProvider: { a: { profile: 'coding', deny: ['Eddit'] } } }, 'Edit'],
    [{ byChannel: { a: { allow: ['Gerp'] } } }, 'Grep'],
    [{ profiles: { own: ['TodoWriet'] } }, 'TodoWrite'],
    [{ groups: { own: ['WebSerch'] } }, 'WebSearch'],
    [{ subagents: { maxDepth: 2, deny: ['Agnet'] } }, 'Agent'],
    [{ subagents: { leafDeny: ['Aegnt'] } }, 'Agent'],
    [{ deny: ['Wrute'] }, 'Write'],
    [{ deny: ['WebFetxh'] }, 'WebFetch'],
    [{ allow: ['Agenbt'] }, 'Agent'],
  ];
  await eachRow(rows, async ([policy, meant]) => {
    const message = new RegExp(`^A policy names \\w+, which is no tool\\. Did you mean "${meant}"\\?`);
    for (const given of [policy, createPolicy(policy)]) {
      expect(() => world({ policy: given })).toThrow(message);
      await expect(run([], [], { policy: given })).rejects.toThrow(message);
    }
  });
});

test('names of tools that may come, groups and patterns are taken by a policy', async () => {
  const names =
    'WriteFile Reader Reads Hash Dash Bush Tasks Task2 Lint Ask Globe Bosh Spell Agents TodoLoad mcp__raed__x B* group:fs group:own';
  const policy = { allow: names.split(' '), groups: { own: ['Greet', 'read', 'exec'] } };
  expect(() => world({ policy })).not.toThrow();
  await expect(run([], [], { policy })).resolves.toMatchObject({ results: [] });
});

test('what binds no tool as the first turn begins is warned of once, with the near name', async () => {
  const hook = (matcher: string) => ({ matcher, hooks: [() => undefined] });
  const { toolkit, warned } = world({
    permissions: createPermissions({
      deny: ['Bosh(rm *)', 'Deploy', 'Ship', 'Dep*', 'UndoFile', 'mcp__*', 'mcp__mail__send', 'Read(**/.env)'],
      ask: ['Publsh', 'Tasks', 'x*'],
      allow: ['Nothing'],
    }),
    policy: { deny: ['Drop', 'group:automation', 'Ship'], subagents: { deny: ['cron'] } },
    hooks: {
      PreToolUse: [hook('Wirte'), hook('wirte|edit'), hook('EDIT'), hook('Notebook.*'), hook('Ship')],
      PostToolUse: [hook('Wirte'), hook('write_file'), hook('*'), hook('UndoFile')],
    },
  });
  for (const name of ['Ship', 'Publish', 'Tasks']) toolkit.registry.register(tool(name, () => ''));
  const all: readonly Warned[] = [
    ['Bosh(rm *)', 'Bash'],
    ['Deploy', undefined],
    ['Dep*', undefined],
    ['mcp__mail__send', undefined],
    ['Publsh', 'Publish'],
    ['x*', undefined],
    ['Drop', undefined],
    ['cron', undefined],
    ['Wirte', 'Write'],
    ['wirte|edit', 'Write'],
    ['write_file', 'Write'],
  ];
  expect(await warned()).toEqual(all);
  expect(await warned()).toEqual(all);
});

test('rules for a server that is known are not warned of, and those for another are', async () => {
  const mcp = new FakeMcpClient({ 'my mail': {}, git: { tools: [{ name: 'push' }] } });
  const deny = ['mcp__git', 'mcp__git__push', 'mcp__git__*', 'mcp__my mail__send', 'mcp__gti__push'];
  const { warned } = world({ hosts: { mcp }, permissions: createPermissions({ deny }) });
  expect((await warned()).map(([rule]) => rule)).toEqual(['mcp__gti__push']);
});

test('where a resolver may bring tools, only what is near a known name is warned of', async () => {
  const permissions = createPermissions({ deny: ['Deploy', 'Bosh'] });
  const { warned } = world({ permissions, toolResolver: () => undefined });
  expect(await warned()).toEqual([['Bosh', 'Bash']]);
});

test('a hook is for a tool in any letter case', async () => {
  for (const matcher of ['write', 'WRITE|edit', 'W.*e']) {
    const hooks = { PreToolUse: [{ matcher, hooks: [() => ({ decision: 'deny' as const })] }] };
    const { results } = await run(
      [tool('Write', () => 'wrote'), tool('Writer', () => 'ran')],
      calls('Write', 'Writer'),
      {
        hooks,
      },
    );
    expect(results.map(({ ok }) => ok)).toEqual([false, true]);
  }
});

test('a wrong answer to a question denies, warns the host, and tells the model that nobody could be asked', async () => {
  const rows: readonly (object | string | boolean | null | undefined)[] = [
    true,
    'alow',
    undefined,
    null,
    {},
    { behavior: 'deny' },
    { behavior: 'no' },
    ['deny'],
  ];
  const { emitted } = world();
  const act = tool('Act', () => 'acted', { sideEffect: 'mutating' });
  await eachRow(rows, async (answer) => {
    emitted.mockClear();
    const permissions = createPermissions({ onAsk: () => answer as never });
    const { results, events } = await run([act], calls('Act'), { permissions });
    const output = 'Error: Act needs permission, and nobody could be asked. Do something else, or tell the user.';
    expect(results).toMatchObject([{ ok: false, output, error: { code: 'permission_denied' } }]);
    expect(events).toContainEqual(expect.objectContaining({ type: 'permission-decision', behavior: 'deny' }));
    expect(emitted.mock.calls).toEqual([[expect.stringMatching(/about Act/), { code: 'TOOLWRIGHT_ANSWER' }]]);
  });
  const allow = createPermissions({ onAsk: () => 'allow' });
  expect((await run([act], calls('Act'), { permissions: allow })).results).toMatchObject([{ output: 'acted' }]);
});

test('what binds by another name of a tool binds in any letter case, in deny and ask rules alike', async () => {
  const spellings = (name: string) => [name, name.toLowerCase(), name.toUpperCase()];
  const inputs: Readonly<Record<string, unknown>> = {
    Bash: { command: 'echo hi' },
    Read: { file_path: 'a.txt' },
    Write: { file_path: 'a.txt', content: '' },
    TodoWrite: { todos: [] },
  };
  const names = Object.entries(toolAliases).filter(([, tool]) => Object.hasOwn(inputs, tool));
  expect(names.length).toBeGreaterThan(6);
  await eachRow(names, async ([alias, tool]) => {
    for (const name of spellings(alias))
      for (const list of ['deny', 'ask'] as const) {
        const onAsk = () => 'deny' as const;
        const permissions = createPermissions({ mode: 'bypassPermissions', [list]: [name], onAsk });
        const { toolkit } = world({ permissions, relativePaths: 'resolve' });
        expect([name, list, await toolkit.call(tool, inputs[tool])]).toMatchObject([
          name,
          list,
          { ok: false, error: { code: 'permission_denied' } },
        ]);
      }
  });
});
