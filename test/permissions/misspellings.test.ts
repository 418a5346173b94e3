import { expect, onTestFinished, test, vi } from 'vitest';
import { toolAliases } from '../../src/core/tool-names.js';
import type { ExecuteOptions } from '../../src/core.js';
import type { PolicyConfig } from '../../src/index.js';
import {
  createPermissions,
  createPolicy,
  createRateLimiter,
  type ToolEvent,
  type ToolkitOptions,
  ToolRegistry,
} from '../../src/index.js';
import { eachRow } from '../support/each-row.js';
import { FakeMcpClient } from '../support/fake-mcp-client.js';
import { calls, run, tool } from '../support/pipeline.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { testToolkit } from '../support/test-toolkit.js';

type Warned = readonly [rule: string, near: string | undefined];

/** A toolkit, the warning events of its turns, and the process warnings. */
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

test('a misspelt tool name in a policy is rejected by a toolkit and by executeTools', async () => {
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
    const message = new RegExp(`^A policy names \\w+, which is not a tool\\. Did you mean "${meant}"\\?`);
    for (const given of [policy, createPolicy(policy)]) {
      expect(() => world({ policy: given })).toThrow(message);
      await expect(run([], [], { policy: given })).rejects.toThrow(message);
    }
  });
});

test('a policy accepts names of later tools, groups and patterns', async () => {
  const names =
    'WriteFile Reader Reads Hash Dash Bush Tasks Task2 Lint Ask Globe Bosh Spell Agents TodoLoad mcp__raed__x B* group:fs group:own';
  const policy = { allow: names.split(' '), groups: { own: ['Greet', 'read', 'exec'] } };
  expect(() => world({ policy })).not.toThrow();
  await expect(run([], [], { policy })).resolves.toMatchObject({ results: [] });
});

test('entries that match no tool at the first turn give one warning with a similar name', async () => {
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
  ];
  expect(await warned()).toEqual(all);
  expect(await warned()).toEqual(all);
});

test('rules for a known server give no warning, rules for another server do', async () => {
  const mcp = new FakeMcpClient({ 'my mail': {}, git: { tools: [{ name: 'push' }] } });
  const deny = ['mcp__git', 'mcp__git__push', 'mcp__git__*', 'mcp__my mail__send', 'mcp__gti__push'];
  const { warned } = world({ hosts: { mcp }, permissions: createPermissions({ deny }) });
  expect((await warned()).map(([rule]) => rule)).toEqual(['mcp__gti__push']);
});

test('with a resolver only names similar to a known one give a warning', async () => {
  const permissions = createPermissions({ deny: ['Deploy', 'Bosh'] });
  const { warned } = world({ permissions, toolResolver: () => undefined });
  expect(await warned()).toEqual([['Bosh', 'Bash']]);
});

test('a hook matcher ignores letter case', async () => {
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

test('an invalid answer denies, warns the host, and tells the model that no person could be asked', async () => {
  const rows: readonly (object | string | boolean | null | undefined)[] = [
    true,
    'alow',
    undefined,
    null,
    {},
    { behavior: 'no' },
    ['deny'],
  ];
  const { emitted } = world();
  const act = tool('Act', () => 'acted', { sideEffect: 'mutating' });
  await eachRow(rows, async (answer) => {
    emitted.mockClear();
    const permissions = createPermissions({ onAsk: () => answer as never });
    const { results, events } = await run([act], calls('Act'), { permissions });
    const output = 'Error: Act needs permission, but no person could be asked. Do something else, or tell the user.';
    expect(results).toMatchObject([{ ok: false, output, error: { code: 'permission_denied' } }]);
    expect(events).toContainEqual(expect.objectContaining({ type: 'permission-decision', behavior: 'deny' }));
    expect(emitted.mock.calls).toEqual([[expect.stringMatching(/about Act/), { code: 'TOOLWRIGHT_ANSWER' }]]);
  });
  const allow = createPermissions({ onAsk: () => 'allow' });
  expect((await run([act], calls('Act'), { permissions: allow })).results).toMatchObject([{ output: 'acted' }]);
});

test('aliases in deny and ask rules match in any letter case', async () => {
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

test('for each alias, a deny rule either matches or gives a warning', async () => {
  const { emitted } = world();
  const spellings = (name: string) => [name, name.toLowerCase(), name.toUpperCase(), name.replace(/.$/, '*')];
  const aliases = [{}, { aliases: {} }, { aliases: { exec: 'Own', Sh: 'Bash' } }];
  const names = [...Object.entries(toolAliases), ['Sh', 'Bash'] as const].flatMap(([alias, name]) =>
    spellings(alias).flatMap((text) => aliases.map((options) => [text, name, options] as const)),
  );
  await eachRow(names, async ([text, name, options]) => {
    emitted.mockClear();
    const registry = new ToolRegistry(options).register(tool(name, () => 'ran'));
    const permissions = createPermissions({ mode: 'bypassPermissions', deny: [text] });
    const { results } = await run([], calls(name), { registry, permissions });
    expect(emitted.mock.calls.length > 0).toBe(results[0]?.ok);
  });
});

test('executeTools warns once about entries that match no tool of the registry', async () => {
  const { emitted } = world();
  const own = () => tool('Own', () => 'ran');
  const rows: readonly (readonly [Partial<ExecuteOptions>, string])[] = [
    [{ permissions: createPermissions({ deny: ['Onw'] }) }, 'This deny rule matches no tool.'],
    [{ permissions: createPermissions({ ask: ['Onw'] }) }, 'This ask rule matches no tool.'],
    [{ policy: { deny: ['Onw'] } }, 'This name in the policy matches no tool.'],
    [
      {
        hooks: {
          PreToolUse: [
            { matcher: 'Onw', hooks: [] },
            { matcher: 'Onw', hooks: [() => undefined] },
          ],
        },
      },
      'This hook matcher matches no tool.',
    ],
    [
      { rateLimiter: createRateLimiter({ max: 9, perTool: { Onw: { max: 0 } } }) },
      'This name in the rate limiter matches no tool.',
    ],
  ];
  await eachRow(rows, async ([options, reason]) => {
    emitted.mockClear();
    const registry = new ToolRegistry().register(own());
    const warnings: ToolEvent[] = [];
    for (let turn = 0; turn < 3; turn++) {
      const { events } = await run([], calls('Own'), { registry, ...options });
      warnings.push(...events.filter(({ type }) => type === 'rule-warning'));
    }
    expect(warnings).toEqual([{ type: 'rule-warning', rule: 'Onw', reason, near: 'Own' }]);
    expect(emitted.mock.calls).toEqual([[`Onw: ${reason} Did you mean "Own"?`, { code: 'TOOLWRIGHT_RULE' }]]);
  });
  emitted.mockClear();
  await run(
    [own(), tool('mcp__mail__send', () => ''), tool('Pay', () => '', { groups: ['mcp:bills'] })],
    calls('Own'),
    {
      permissions: createPermissions({ deny: ['Own', 'Bash', 'UndoFile', 'mcp__mail'] }),
      policy: { deny: ['group:mcp:mail', 'group:mcp:Bills'] },
    },
  );
  expect(emitted).not.toHaveBeenCalled();
});

test('rules that are added later are checked at the next turn, and missing rules to remove are named', async () => {
  const permissions = createPermissions({ deny: ['Bash', 'Edit(src/**)'], allow: ['Write'] });
  const { warned, emitted } = world({ permissions });
  expect(await warned()).toEqual([]);
  permissions.addRules({ deny: ['Deploy'] });
  expect(await warned()).toEqual([['Deploy', undefined]]);
  emitted.mockClear();
  permissions.removeRules({ deny: ['Bahs', 'Edit(src/**)'], allow: ['Bash', 'Write'] });
  expect(emitted.mock.calls.map(([text]) => text)).toEqual([
    'removeRules: there is no allow rule "Bash".',
    'removeRules: there is no deny rule "Bahs". Did you mean "Bash"?',
  ]);
});

test('the warning suggests a similar server name', async () => {
  const mcp = new FakeMcpClient({ github: { tools: [{ name: 'push' }] }, 'my mail': {} });
  const { warned } = world({
    hosts: { mcp },
    permissions: createPermissions({ deny: ['mcp__githb', 'mcp__githb__*', 'mcp__github__psuh', 'mcp__github__pull'] }),
    policy: { deny: ['group:mcp:githb', 'group:mcp:GitHub', 'group:mcp:my mail', 'group:mcp:jira'] },
  });
  expect(await warned()).toEqual([
    ['mcp__githb', 'mcp__github'],
    ['mcp__githb__*', 'mcp__github'],
    ['mcp__github__psuh', 'mcp__github__push'],
    ['group:mcp:githb', 'group:mcp:github'],
    ['group:mcp:jira', undefined],
  ]);
});

test('a limit for a tool accepts aliases in any letter case, and gives a warning if it matches no tool', async () => {
  const bash = tool('Bash', () => 'ran');
  await eachRow(['Bash', 'bash', 'BASH', 'exec', 'Run_Command'], async (name) => {
    const rateLimiter = createRateLimiter({ max: 100, perTool: { [name]: { max: 0 } } });
    expect((await run([bash], calls('Bash'), { rateLimiter })).results).toMatchObject([{ ok: false }]);
    const costly = createRateLimiter({ max: 1, costs: { [name]: 2 } });
    expect((await run([bash], calls('Bash'), { rateLimiter: costly })).results).toMatchObject([{ ok: false }]);
  });
  const both = createRateLimiter({ max: 100, perTool: { Bash: { max: 5 }, exec: { max: 0 } } });
  expect((await run([bash], calls('Bash'), { rateLimiter: both })).results).toMatchObject([{ ok: false }]);
  const rateLimiter = createRateLimiter({
    max: 100,
    perTool: { Bsh: { max: 0 }, LS: { max: 1 } },
    costs: { 'Re*': 2, 'my tool': 2 },
  });
  const { warned } = world({ rateLimiter });
  expect(await warned()).toEqual([
    ['Bsh', 'Bash'],
    ['Re*', undefined],
    ['my tool', undefined],
  ]);
});

test('a matcher with a list of names accepts aliases, and each name is checked', async () => {
  const deny = [() => ({ decision: 'deny' as const })];
  const rows: readonly (readonly [matcher: string, ran: readonly string[]])[] = [
    ['exec', ['Read']],
    ['^(Run_Command|FileRead)$', []],
    ['(?:read_file)', ['Bash']],
    ['.*_file', ['Bash', 'Read']],
    ['(?!Read|exec|x).*', ['Read']],
  ];
  await eachRow(rows, async ([matcher, ran]) => {
    const tools = [tool('Bash', () => 'ran'), tool('Read', () => 'ran')];
    const hooks = { PreToolUse: [{ matcher, hooks: deny }] };
    const { results } = await run(tools, calls('Bash', 'Read'), { hooks });
    expect(results.filter(({ ok }) => ok).map(({ name }) => name)).toEqual(ran);
  });
  const matchers = ['^Wirte$|Edit', '(Write|Eidt)', '^(Bsh|Write)$', '(?:Wirte)', 'exec', '^(Task|read_file)$'];
  const { warned } = world({ hooks: { PreToolUse: matchers.map((matcher) => ({ matcher, hooks: deny })) } });
  const heard = await warned();
  expect(heard).toEqual([
    ['^Wirte$|Edit', 'Write'],
    ['(Write|Eidt)', 'Edit'],
    ['^(Bsh|Write)$', 'Bash'],
    ['(?:Wirte)', 'Write'],
  ]);
});

test('a deny or ask rule with a path outside all roots, or without a path, gives a warning with the correct form', async () => {
  const root = temporaryFolder();
  const other = temporaryFolder();
  const fine = [`Edit(${root}/src/**)`, `Read(${other}/**)`, 'Read(//etc/**)', 'Read(~/.ssh/**)', 'Read(/**)', 'Write'];
  const alike = [
    'Bash(/usr/bin/rm *)',
    'Bash(echo a,b)',
    'Edit({a,b}.txt)',
    'Read(a[,]b.txt)',
    `Read(${root.toUpperCase()}/a)`,
  ];
  const top = (path: string, tool: string) =>
    `This path begins at the root of the disk and is in none of the workspace folders. Write ${tool}(${path}) for the workspace, or ${tool}(//${path}) for the disk.`;
  const rows: readonly (readonly [rule: string, reason: string])[] = [
    ['Edit(/src/**)', top('src/**', 'Edit')],
    ['read_file(/.env)', top('.env', 'read_file')],
    ['Read(a.txt,b.txt)', 'A comma in a path does not separate two patterns. Write Read({a.txt,b.txt}).'],
    ['Edit(src/**, lib/**)', 'A comma in a path does not separate two patterns. Write Edit({src/**,lib/**}).'],
    [
      'Read(!a.txt)',
      'Rules have no exceptions: "!" is part of the name. Write Read(./!a.txt) for a file with this name.',
    ],
  ];
  const permissions = createPermissions({ deny: [...fine, ...alike, ...rows.map(([rule]) => rule)], root });
  const { warned, events } = world({ root, additionalRoots: [other], permissions });
  await warned();
  const heard = events.flatMap((event) => (event.type === 'rule-warning' ? [[event.rule, event.reason]] : []));
  expect(heard).toEqual(rows);
});
