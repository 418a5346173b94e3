import { describe, expect, test } from 'vitest';
import {
  type Caller,
  type ConfiguredPolicy,
  createPolicy,
  executeTools,
  type Policy,
  type PolicyConfig,
  type PolicyLists,
  type Tool,
  ToolRegistry,
} from '../../src/index.js';
import { resolvePolicy } from '../../src/permissions/policy.js';
import { samples, table } from '../support/each-row.js';
import { calls, tool as makeTool, run } from '../support/pipeline.js';
import { testToolkit } from '../support/test-toolkit.js';

const main: Caller = { sessionId: 's' };

/** A tool with a name and declared groups only. */
function tool(name: string, ...groups: readonly string[]): Tool {
  return makeTool(name, () => `${name} ran`, { groups, replace: true });
}

const builtins = [
  ...samples`
    Read ¦ Write ¦ Edit ¦ Glob ¦ Grep ¦ NotebookEdit ¦ Bash ¦ TaskOutput ¦ TaskStop ¦ WebFetch ¦ WebSearch`,
  ...['Agent', 'TeamCreate', 'SendMessage', 'TeamDelete', 'TodoWrite', 'ExitPlanMode', 'AskUserQuestion', 'Config'],
  ...['ListMcpResources', 'ReadMcpResource'],
];

/** The names that a config offers, of the built-in tools or the given ones. */
function offered(
  config: PolicyConfig,
  caller: Caller = main,
  tools: readonly Tool[] = builtins.map((name) => tool(name)),
): string[] {
  const policy = createPolicy(config);
  return tools.filter((candidate) => policy.offers(candidate, caller)).map(({ name }) => name);
}

describe('the seven steps', () => {
  const caller: Caller = { sessionId: 's', provider: 'p', agentId: 'a', channel: 'c' };
  const states = ['silent', 'names it', 'names others'] as const;
  type State = (typeof states)[number];
  const rows = Array.from({ length: 3 ** 7 }, (_, row) =>
    Array.from({ length: 7 }, (_, step) => states[Math.floor(row / 3 ** step) % 3]),
  );

  const listFor = (state: State | undefined) => (state === 'names it' ? ['Read'] : ['Glob']);
  const allow = (state: State | undefined): PolicyLists => (state === 'silent' ? {} : { allow: listFor(state) });
  const profile = (state: State | undefined) =>
    state === 'silent' ? {} : { profile: state === 'names it' ? 'with' : 'without' };
  const configOf = (row: readonly (State | undefined)[]): PolicyConfig => ({
    profiles: { with: ['Read'], without: ['Glob'] },
    ...profile(row[0]),
    ...allow(row[2]),
    byProvider: { p: { ...profile(row[1]), ...allow(row[3]) } },
    byAgent: { a: { ...allow(row[4]), byProvider: { p: allow(row[5]) } } },
    byChannel: { c: allow(row[6]) },
  });

  test('offer the tools in the profile (of the provider, if it has one) and in every allow list', () => {
    const read = tool('Read');
    for (const row of rows) {
      const [globalProfile, providerProfile, ...lists] = row;
      const effective = providerProfile === 'silent' ? globalProfile : providerProfile;
      const expected = [effective, ...lists].every((state) => state !== 'names others');
      expect([row, createPolicy(configOf(row)).offers(read, caller)]).toEqual([row, expected]);
    }
    expect(rows).toHaveLength(2187);
  });

  test('apply only to their provider, agent and channel', () => {
    const others = 'names others';
    const config = configOf(['silent', others, 'silent', others, others, others, others]);
    expect(offered(config, { sessionId: 's', provider: 'P', agentId: 'b', channel: 'd' })).toEqual(builtins);
    expect(offered(config, { ...main, provider: 'p' })).toEqual(['Glob']);
    expect(offered(config, { ...main, agentId: 'a' })).toEqual(['Glob']);
    expect(offered(config, { ...main, channel: 'c' })).toEqual(['Glob']);
  });

  test('an agent list for a provider does not apply to other agents', () => {
    const config: PolicyConfig = { byAgent: { a: { byProvider: { p: { allow: ['Read'] } } }, b: {} } };
    expect(offered(config, { ...main, agentId: 'a', provider: 'p' })).toEqual(['Read']);
    expect(offered(config, { ...main, agentId: 'a', provider: 'q' })).toEqual(builtins);
    expect(offered(config, { ...main, agentId: 'b', provider: 'p' })).toEqual(builtins);
  });

  test('an empty allow list removes all tools', () => {
    expect(offered({ allow: [] })).toEqual([]);
    expect(offered({ byAgent: { a: { allow: [] } } }, { ...main, agentId: 'a' })).toEqual([]);
  });
});

describe('deny and alsoAllow', () => {
  const everywhere: Caller = { sessionId: 's', provider: 'p', agentId: 'a', channel: 'c' };
  const places: readonly (readonly [string, (lists: PolicyLists) => PolicyConfig])[] = [
    ['everybody', (lists) => lists],
    ['the provider', (lists) => ({ byProvider: { p: lists } })],
    ['the agent', (lists) => ({ byAgent: { a: lists } })],
    ['the agent with the provider', (lists) => ({ byAgent: { a: { byProvider: { p: lists } } } })],
    ['the channel', (lists) => ({ byChannel: { c: lists } })],
  ];

  table(places)('a deny in any place removes the tool', (_, configWith) => {
    expect(offered(configWith({ deny: ['group:runtime'] }), everywhere)).toEqual(
      builtins.filter((name) => !/Bash|^Task/.test(name)),
    );
  });

  table(places.slice(1))('but not for other callers', (_, configWith) => {
    expect(offered(configWith({ deny: ['*'] }), main)).toEqual(builtins);
  });

  table(places)('alsoAllow restores tools that a profile or allow lists removed', (_, configWith) => {
    const config = configWith({ alsoAllow: ['WebFetch'] });
    const narrow: PolicyConfig = { profile: 'coding', allow: ['TodoWrite'], ...config };
    expect(offered(narrow, everywhere)).toEqual(['WebFetch', 'TodoWrite']);
  });

  table(places)('alsoAllow never restores denied tools', (_, configWith) => {
    const given = configWith({ alsoAllow: ['*'] });
    for (const [, deniedBy] of places) {
      const denied = deniedBy({ deny: ['Bash'] });
      expect(offered(merge(given, denied), everywhere)).not.toContain('Bash');
    }
    expect(offered(given, { ...everywhere, depth: 1 })).not.toContain('Agent');
  });
});

/** Merges two configs of lists. */
function merge(left: object, right: object): PolicyConfig {
  const merged: Record<string, unknown> = { ...left };
  for (const [key, value] of Object.entries(right)) {
    const present = merged[key];
    merged[key] =
      typeof present === 'object' && present !== null && !Array.isArray(present) ? merge(present, value) : value;
  }
  return merged;
}

describe('profiles', () => {
  table<[string, readonly string[]]>([
    ['full', builtins],
    ['coding', builtins.filter((name) => !/^(?:Web|Config$|ListMcp|ReadMcp)/.test(name))],
    ['messaging', ['SendMessage']],
    ['minimal', []],
  ])('built in', (profile, names) => {
    expect(offered({ profile })).toEqual(names);
  });

  test('accept custom tools that declare their groups', () => {
    const tools = [tool('Recall', 'memory'), tool('Post', 'messaging'), tool('Deploy')];
    expect(offered({ profile: 'coding' }, main, tools)).toEqual(['Recall']);
    expect(offered({ profile: 'messaging' }, main, tools)).toEqual(['Post']);
    expect(offered({ profile: 'full' }, main, tools)).toEqual(['Recall', 'Post', 'Deploy']);
  });

  test('of the host', () => {
    const config: PolicyConfig = { profiles: { review: ['Read', 'group:web'] }, profile: 'review' };
    expect(offered(config)).toEqual(['Read', 'WebFetch', 'WebSearch']);
    expect(
      offered({ ...config, byProvider: { small: { profile: 'minimal' } } }, { ...main, provider: 'small' }),
    ).toEqual([]);
  });
});

describe('groups', () => {
  table<[string, readonly string[]]>([
    ['fs', ['Read', 'Write', 'Edit', 'Glob', 'Grep', 'NotebookEdit']],
    ['runtime', ['Bash', 'TaskOutput', 'TaskStop']],
    ['web', ['WebFetch', 'WebSearch']],
    ['sessions', ['Agent', 'TeamCreate', 'SendMessage', 'TeamDelete']],
    ['mcp', ['ListMcpResources', 'ReadMcpResource']],
    ['native', builtins],
    ['goclaw', builtins],
  ])('built in', (group, names) => {
    const all = [...builtins.map((name) => tool(name)), tool('Mine')];
    expect(offered({ allow: [`group:${group}`] }, main, all)).toEqual(names);
    expect(offered({ deny: [`group:${group}`] }, main, all)).toEqual(
      [...builtins, 'Mine'].filter((name) => !names.includes(name)),
    );
  });

  test('tools join a group by declaring it', () => {
    expect(offered({ allow: ['group:fs'] }, main, [tool('ListFiles', 'fs'), tool('Other')])).toEqual(['ListFiles']);
    expect(offered({ deny: ['group:fs'] }, main, [tool('ListFiles', 'FS'), tool('Other')])).toEqual(['Other']);
  });

  test('of the host may have names, patterns and other groups, and be filled by declaration', () => {
    const tools = ['Read', 'WebFetch', 'deploy_app', 'Bash'].map((name) => tool(name));
    const groups = { inner: ['group:web', 'deploy_*'], outer: ['Read', 'group:inner'], mine: [] };
    expect(offered({ groups, allow: ['group:outer'] }, main, tools)).toEqual(['Read', 'WebFetch', 'deploy_app']);
    expect(offered({ groups, allow: ['group:mine'] }, main, [tool('One', 'mine'), tool('Two', 'inner')])).toEqual([
      'One',
    ]);
    expect(offered({ groups: { memory: ['Recall'] }, profile: 'coding' }, main, [tool('Recall')])).toEqual(['Recall']);
  });

  const ofGithub = tool('mcp__github__search', 'mcp', 'mcp:github');
  const ofOther = tool('mcp__git__hub__search', 'mcp:git__hub');
  const renamed = tool('gh_search', 'mcp:github');
  const silent = tool('mcp__files__read');
  const split = tool('mcp__a__b__read');
  const mcpTools = [ofGithub, ofOther, renamed, silent, split, tool('Read')];

  table<[PolicyConfig, readonly string[]]>([
    [
      { allow: ['group:mcp'] },
      ['mcp__github__search', 'mcp__git__hub__search', 'gh_search', 'mcp__files__read', 'mcp__a__b__read'],
    ],
    [{ deny: ['group:mcp'] }, ['Read']],
    [{ allow: ['group:mcp:github'] }, ['mcp__github__search', 'gh_search']],
    [{ allow: ['group:mcp:git'] }, []],
    [{ allow: ['group:mcp:git__hub'] }, ['mcp__git__hub__search']],
    [{ allow: ['group:mcp:files'] }, ['mcp__files__read']],
    [{ allow: ['group:mcp:a'] }, []],
    [
      { deny: ['group:mcp:a', 'group:mcp:git'] },
      mcpTools.map(({ name }) => name).filter((name) => name !== 'mcp__a__b__read'),
    ],
    [{ deny: ['group:mcp:a__b'] }, mcpTools.map(({ name }) => name).filter((name) => name !== 'mcp__a__b__read')],
    [{ allow: ['mcp__github__*'] }, ['mcp__github__search']],
    [{ allow: ['mcp__github'] }, ['mcp__github__search']],
    [{ allow: ['*search'] }, ['mcp__github__search', 'mcp__git__hub__search', 'gh_search']],
  ])('a tool declares its server, and its name decides only without a declaration', (config, names) => {
    expect(offered(config, main, mcpTools)).toEqual(names);
  });
});

describe('entries', () => {
  test('an alias matches its tool, and a tool with exactly that name', () => {
    expect(offered({ allow: ['read_file', 'Task'] })).toEqual(['Read', 'Agent']);
    expect(offered({ deny: ['exec'] }, main, [tool('Bash'), tool('exec'), tool('Read')])).toEqual(['Read']);
  });

  test('deny lists ignore letter case, allow lists do not', () => {
    expect(offered({ deny: ['bash', 'READ_FILE', 'web*'] })).toEqual(
      builtins.filter((name) => !/^(Bash|Read|Web\w+)$/.test(name)),
    );
    expect(offered({ allow: ['bash', 'Read'] })).toEqual(['Read']);
  });

  test('a catalogue adds aliases and groups at any time', () => {
    let aliases: readonly string[] = [];
    let groups: readonly string[] = [];
    const catalogue = { aliasesOf: () => aliases, groupsOf: () => groups };
    const policy = createPolicy({ allow: ['sh', 'group:fs'] }, { catalogue });
    const mine = tool('Run');
    expect(policy.offers(mine, main)).toBe(false);
    aliases = ['sh'];
    expect(policy.offers(mine, main)).toBe(true);
    aliases = [];
    groups = ['fs'];
    expect(policy.offers(mine, main)).toBe(true);
  });

  test('names of Object.prototype are ordinary names', () => {
    const names = ['constructor', 'toString', 'hasOwnProperty', '__proto__'];
    for (const name of names) {
      const who = { sessionId: name, agentId: name, provider: name, channel: name };
      expect(offered({ profile: 'full', allow: ['Read'] }, who)).toEqual(['Read']);
      expect(() => createPolicy({ profile: name })).toThrow('is not a profile');
      expect(() => createPolicy({ allow: [`group:${name}`] })).toThrow('is not a group');
      expect(offered({ deny: [name] }, main, [tool(name), tool('Read')])).toEqual(['Read']);
    }
    const config = JSON.parse('{ "byAgent": { "__proto__": { "deny": ["Read"] } } }') as PolicyConfig;
    expect(offered(config, { ...main, agentId: '__proto__' })).not.toContain('Read');
    expect(offered(config)).toContain('Read');
  });
});

describe('subagents', () => {
  const denied = ['ExitPlanMode', 'AskUserQuestion', 'Config'];
  const sessions = ['Agent', 'TeamCreate', 'TeamDelete'];
  const without = (...names: readonly string[]) => builtins.filter((name) => !names.includes(name));
  const deep = { subagents: { maxDepth: 2 } };

  table<[PolicyConfig, Caller['depth'], readonly string[]]>([
    [{}, undefined, builtins],
    [{}, 0, builtins],
    [{}, 1, without(...denied, ...sessions)],
    [deep, 1, without(...denied)],
    [deep, 2, without(...denied, ...sessions)],
    [deep, 3, without(...denied, ...sessions)],
    [{ subagents: { maxDepth: 0 } }, 0, without(...sessions)],
    [{ subagents: { deny: ['Bash'], leafDeny: [] } }, 1, without('Bash')],
    [{ allow: ['Agent', 'Read'], alsoAllow: ['*'] }, 1, without(...denied, ...sessions)],
  ])('are offered the tools of their depth', (config, depth, names) => {
    expect(offered(config, depth === undefined ? main : { ...main, depth })).toEqual(names);
  });

  test('have no custom tools of the groups memory and automation', () => {
    const tools = [tool('Recall', 'memory'), tool('Cron', 'automation'), tool('Mine')];
    expect(offered({}, main, tools)).toEqual(['Recall', 'Cron', 'Mine']);
    expect(offered({}, { ...main, depth: 1 }, tools)).toEqual(['Mine']);
  });

  test('with an invalid depth count as the deepest', () => {
    for (const depth of [Number.NaN, -1, Number.POSITIVE_INFINITY, '0', null, {}, Symbol('depth')]) {
      expect(offered({ subagents: { maxDepth: 9 } }, { ...main, depth: depth as number })).toEqual(
        without(...denied, ...sessions),
      );
    }
  });
});

describe('explaining', () => {
  const config: PolicyConfig = {
    profile: 'coding',
    deny: ['Write'],
    alsoAllow: ['WebFetch', 'Write'],
    byAgent: { reviewer: { deny: ['group:runtime'] } },
    byChannel: { family: { allow: ['group:fs'] } },
  };
  const policy = createPolicy(config);

  table<[string, Caller, string]>([
    ['Read', main, 'kept by every list and denied by none'],
    ['WebSearch', main, 'left out by profile coding'],
    ['WebFetch', main, 'left out by profile coding, restored by WebFetch in the alsoAllow list'],
    ['Write', main, 'denied by Write in the deny list'],
    ['Bash', { ...main, agentId: 'reviewer' }, 'denied by group:runtime in the deny list of agent "reviewer"'],
    ['Bash', { ...main, channel: 'family' }, 'left out by the allow list of channel "family"'],
    ['Agent', { ...main, depth: 1 }, 'denied by group:sessions in the deny list for agents at the maximum depth'],
    ['Config', { ...main, depth: 1 }, 'denied by Config in the deny list for subagents'],
  ])('names the list that decided', (name, caller, line) => {
    expect(policy.explain(tool(name), caller)).toBe(line);
  });

  test('the error of a refused call names the list', async () => {
    const { results } = await run([tool('Bash')], calls('Bash'), { policy, caller: { ...main, agentId: 'reviewer' } });
    expect(results[0]?.output).toBe(
      'Error: Bash is not available here: denied by group:runtime in the deny list of agent "reviewer". Use another tool.',
    );
  });
});

describe('a mistake in the config is a TypeError that names the place', () => {
  table<[unknown, string]>([
    [{ profile: 'codng' }, 'policy.profile: "codng" is not a profile. Did you mean "coding"?'],
    [{ byProvider: { p: { profile: 'Full' } } }, 'policy.byProvider.p.profile: "Full" is not a profile. Did you mean'],
    [{ denny: [] }, 'policy: denny is no option. Did you mean "deny"?'],
    [{ byAgent: { a: { alow: [] } } }, 'policy.byAgent.a: alow is no option. Did you mean "allow"?'],
    [{ byAgent: { a: { profile: 'full' } } }, 'policy.byAgent.a: profile is no option.'],
    [{ byAgent: { a: { byProvider: { p: { dny: [] } } } } }, 'policy.byAgent.a.byProvider.p: dny is no option.'],
    [{ byChannel: { c: { allows: [] } } }, 'policy.byChannel.c: allows is no option. Did you mean "allow"?'],
    [{ subagents: { depth: 1 } }, 'policy.subagents: depth is no option.'],
    [{ subagents: { maxDepth: -1 } }, 'policy.subagents.maxDepth must be a whole number from 0 up, not -1'],
    [{ subagents: { maxDepth: '1' } }, 'policy.subagents.maxDepth must be a whole number from 0 up, not 1'],
    [{ allow: ['group:runtme'] }, 'policy.allow: "group:runtme" is not a group. Did you mean "group:runtime"?'],
    [{ deny: ['group:mcp:'] }, 'policy.deny: "group:mcp:" is not a group.'],
    [{ deny: ['runtime'] }, 'policy.deny: runtime is a group. Write "group:runtime".'],
    [{ deny: ['Bash(rm *)'] }, 'policy.deny: "Bash(rm *)" must be the name of a tool'],
    [{ deny: [''] }, 'policy.deny: "" must be the name of a tool'],
    [{ deny: [7] }, 'policy.deny: 7 must be text'],
    [{ deny: 'Bash' }, 'policy: deny takes a list of names, not a string'],
    [{ deny: null }, 'policy: deny takes a list of names, not null'],
    [{ byAgent: [] }, 'policy: byAgent takes an object, not an empty list'],
    [{ byAgent: { a: 'full' } }, 'policy.byAgent.a takes an object, not a string'],
    [{ groups: { fs: ['Read'] } }, 'policy.groups.fs: fs is built in. Take another name.'],
    [{ groups: { 'mcp:x': [] } }, 'policy.groups.mcp:x: a name has'],
    [
      { groups: { one: ['group:two'], two: ['group:one'] } },
      'the groups contain each other: group:one, group:two, group:one',
    ],
    [{ profiles: { coding: [] } }, 'policy.profiles.coding: coding is built in.'],
    [{ profiles: { mine: ['group:nothing'] } }, 'policy.profiles.mine: "group:nothing" is not a group.'],
    ['coding', 'policy takes an object, not a string'],
  ])('a mistake in the config is a TypeError that names the place', (config, message) => {
    expect(() => createPolicy(config as PolicyConfig)).toThrow(TypeError);
    expect(() => createPolicy(config as PolicyConfig)).toThrow(message);
  });
});

describe('the option policy accepts', () => {
  test('a config, with defaults', () => {
    const policy = resolvePolicy({ deny: ['Bash'] }, { maxDepth: 3 });
    expect(policy.offers(tool('Bash'), main)).toBe(false);
    expect(policy.offers(tool('Agent'), { ...main, depth: 2 })).toBe(true);
    expect(policy.offers(tool('Agent'), { ...main, depth: 3 })).toBe(false);
  });

  test('a policy of the host, unchanged', () => {
    const policy = { offers: () => true, explain: () => 'yes' };
    expect(resolvePolicy(policy, { maxDepth: 0 })).toBe(policy);
  });

  test('and nothing else', () => {
    const halves = [{ offers: () => true }, { offers: true, explain: () => '' }, 'coding', null];
    for (const half of halves) expect(() => resolvePolicy(half as never, {})).toThrow(TypeError);
  });
});

describe('a policy made from a config', () => {
  const config: PolicyConfig = { deny: ['group:ops', 'group:mcp:billing', 'Zap'], groups: { ops: [] } };
  const names = ['Deploy', 'mcp__billing__pay', 'weird_pay', 'Echo', 'Read'];
  const registryOf = () =>
    new ToolRegistry()
      .register(...names.map((name) => tool(name)))
      .setGroup('ops', ['Deploy'])
      .setGroup('mcp:billing', ['weird_pay', 'mcp__billing__pay'])
      .alias('Zap', 'Echo');
  const ran = async (registry: ToolRegistry, policy: Policy | PolicyConfig | undefined, caller = main) => {
    const { results } = await executeTools(calls(...registry.names()), {
      registry,
      permissions: 'bypassPermissions',
      policy,
      caller,
    });
    return results.flatMap(({ ok, name }) => (ok ? [name] : []));
  };

  test('knows the groups and aliases of each registry', async () => {
    const policy = createPolicy(config);
    expect(await ran(registryOf(), policy)).toEqual(['Read']);
    const without = new ToolRegistry().register(...names.map((name) => tool(name)));
    expect(await ran(without, policy)).toEqual(['Deploy', 'weird_pay', 'Echo', 'Read']);
    expect(await ran(registryOf(), policy)).toEqual(['Read']);
    const registry = registryOf();
    expect(policy.explain(tool('Echo'), main)).toBe('kept by every list and denied by none');
    expect(policy.withDefaults({ catalogue: registry }).explain(tool('Echo'), main)).toBe(
      'denied by Zap in the deny list',
    );
  });

  test('knows groups and aliases that are added later', async () => {
    const registry = registryOf();
    const policy = createPolicy({ deny: ['group:mcp:late', 'late'] });
    expect(await ran(registry, policy)).toEqual(names);
    registry.setGroup('mcp:late', ['Echo']).alias('late', 'Deploy');
    expect(await ran(registry, policy)).toEqual(['mcp__billing__pay', 'weird_pay', 'Read']);
    registry.alias('late', 'Read');
    expect(await ran(registry, policy)).toEqual(['Deploy', 'mcp__billing__pay', 'weird_pay']);
    registry.register(tool('late'));
    expect(await ran(registry, policy)).toEqual(['Deploy', 'mcp__billing__pay', 'weird_pay', 'Read']);
  });

  test('keeps its own defaults', async () => {
    const catalogue = { aliasesOf: () => [], groupsOf: (name: string) => (name === 'Read' ? ['ops'] : []) };
    expect(await ran(registryOf(), createPolicy(config, { catalogue }))).toEqual(['Deploy', 'weird_pay', 'Echo']);
    const agent = new ToolRegistry().register(tool('Agent'));
    const atDepth = (policy: Policy) => ran(agent, policy, { ...main, depth: 1 });
    expect(await atDepth(createPolicy({ subagents: { maxDepth: 3 } }, { maxDepth: 1 }))).toEqual(['Agent']);
    expect(await atDepth(createPolicy({}, { maxDepth: 2 }))).toEqual(['Agent']);
    expect(await atDepth(createPolicy())).toEqual([]);
  });

  test('does not change with its config', () => {
    const deny = ['Echo'];
    const policy = createPolicy({ deny });
    deny.push('Read');
    expect(policy.withDefaults({ maxDepth: 5 }).offers(tool('Read'), main)).toBe(true);
  });

  table<[string, (policy: ConfiguredPolicy) => Policy]>([
    ['a copy', (policy) => ({ ...policy, offers: (tool, who) => tool.name !== 'Read' && policy.offers(tool, who) })],
    ['an heir', (policy) => Object.create(policy, { offers: { value: ({ name }: Tool) => name === 'Echo' } })],
  ])('is a policy of the host if a copy or subclass overrides a decision', async (_, change) => {
    const policy = change(createPolicy(config));
    expect(await ran(new ToolRegistry().register(tool('Read')), policy)).toEqual([]);
    expect(resolvePolicy(policy, { catalogue: registryOf() })).toBe(policy);
  });
});

describe('without a policy', () => {
  const names = ['Agent', 'AskUserQuestion', 'Recall', 'Mine'];
  table<[unknown, readonly string[]]>([
    [undefined, names],
    [0, names],
    [1, ['Mine']],
    [2, ['Mine']],
    [0.5, ['Mine']],
    [-1, ['Mine']],
    [Number.NaN, ['Mine']],
    ['0', ['Mine']],
  ])('an agent at any depth is denied the tools that the toolkit denies', async (depth, wanted) => {
    const toolkit = testToolkit({ permissions: 'bypassPermissions' });
    const caller = { ...main, depth } as Caller;
    for (const registry of [toolkit.registry, new ToolRegistry()]) {
      registry.register(...names.map((name) => tool(name))).setGroup('memory', ['Recall']);
      const turn = { registry, permissions: 'bypassPermissions', caller } as const;
      for (const { results } of [
        await executeTools(calls(...names), turn),
        await toolkit.execute(calls(...names), { caller }),
      ]) {
        expect(results.flatMap(({ ok, name }) => (ok ? [name] : []))).toEqual(wanted);
        for (const result of results) if (!result.ok) expect(result.error.code).toBe('not_allowed');
      }
    }
  });

  test('the maximum depth also applies to the main agent, in the list and in calls', async () => {
    const limits = { subagents: { maxDepth: 0 } };
    const toolkit = testToolkit({ permissions: 'bypassPermissions', limits });
    toolkit.registry.register(tool('Agent'));
    expect(toolkit.definitions().map(({ name }) => name)).not.toContain('Agent');
    const { registry } = toolkit;
    const runs = [
      await toolkit.execute(calls('Agent')),
      await executeTools(calls('Agent'), { registry, permissions: 'bypassPermissions', limits }),
    ];
    for (const { results } of runs) expect(results).toMatchObject([{ error: { code: 'not_allowed' } }]);
  });
});
