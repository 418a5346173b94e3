import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Caller,
  createPolicy,
  createToolkit,
  executeTools,
  type Policy,
  type PolicyConfig,
  type PolicyLists,
  type Tool,
  type ToolRegistry,
} from '../../src/index.js';
import { allowAll, calls, tool } from '../support/pipeline.js';
import { runs } from '../support/runs.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const numRuns = runs(1_000);

/** Each tool with the entries that match it. */
type World = readonly (readonly [name: string, groups: readonly string[], namedBy: readonly string[]])[];

const world: World = [
  ['Read', ['fs'], ['Read', 'read_file', 'group:fs', 'group:native', 'group:safe']],
  ['Edit', ['fs'], ['Edit', 'str_replace', 'group:fs', 'group:native']],
  ['Bash', ['runtime'], ['Bash', 'exec', 'B*', 'group:runtime', 'group:native']],
  ['Agent', ['sessions'], ['Agent', 'Task', 'group:sessions', 'group:native']],
  ['Config', [], ['Config', 'group:native']],
  ['Recall', ['memory'], ['Recall', 'group:memory', 'group:safe']],
  ['Deploy', [], ['Deploy']],
  ['mcp__git__log', ['mcp', 'mcp:git'], ['mcp__git__log', 'mcp__git__*', 'group:mcp', 'group:mcp:git']],
];
const tools = world.map(([name, groups]) => tool(name, () => 'ran', { groups, replace: true }));
/** The groups and aliases of a registry. */
const inRegistry: Readonly<Record<string, readonly string[]>> = {
  Deploy: ['group:ops', 'ship'],
  Recall: ['group:mcp', 'group:mcp:notes', 'Zap'],
};
const registeredWorld: World = world.map(([name, groups, namedBy]) => [
  name,
  groups,
  [...namedBy, ...(inRegistry[name] ?? [])],
]);
function register(registry: ToolRegistry): void {
  for (const name of registry.names()) if (!world.some(([known]) => known === name)) registry.unregister(name);
  registry
    .register(...tools)
    .setGroup('ops', ['Deploy'])
    .setGroup('mcp:notes', ['Recall'])
    .alias('ship', 'Deploy')
    .alias('Zap', 'Recall');
}

const everyEntry = [...new Set(registeredWorld.flatMap(([, , namedBy]) => namedBy)), '*', 'Nothing'];

const list = fc.subarray(everyEntry, { maxLength: 4 });
const lists = fc.record(
  { allow: list, deny: fc.subarray(everyEntry, { maxLength: 2 }), alsoAllow: list },
  { requiredKeys: [] },
);
const profile = fc.constantFrom('full', 'coding', 'minimal', 'own');
const config: fc.Arbitrary<PolicyConfig> = fc
  .record(
    {
      profile,
      byProvider: fc.record({
        p: lists.chain((part) => fc.record({ profile }, { requiredKeys: [] }).map((more) => ({ ...part, ...more }))),
      }),
      byAgent: fc.record({ a: fc.tuple(lists, lists).map(([part, p]) => ({ ...part, byProvider: { p } })) }),
      byChannel: fc.record({ c: lists }),
      subagents: fc.record({ maxDepth: fc.nat(2), deny: list, leafDeny: list }, { requiredKeys: [] }),
    },
    { requiredKeys: [] },
  )
  .chain((parts) =>
    lists.map((part) => ({
      ...parts,
      ...part,
      groups: { safe: ['Read', 'group:memory'], ops: [] },
      profiles: { own: ['B*', 'group:mcp'] },
    })),
  );
const caller: fc.Arbitrary<Caller> = fc.record(
  {
    sessionId: fc.constant('s'),
    provider: fc.constantFrom('p', 'q'),
    agentId: fc.constantFrom('a', 'b'),
    channel: fc.constantFrom('c', 'd'),
    depth: fc.nat(3),
  },
  { requiredKeys: ['sessionId'] },
);
function offered(of: PolicyConfig, who: Caller): string[] {
  const policy = createPolicy(of);
  return tools.filter((candidate) => policy.offers(candidate, who)).map(({ name }) => name);
}

/** The parts of a config that apply to a caller. */
function partsFor(of: PolicyConfig, who: Caller): PolicyLists[] {
  const provider = who.provider === 'p' ? of.byProvider?.p : undefined;
  const agent = who.agentId === 'a' ? of.byAgent?.a : undefined;
  const both = who.provider === 'p' ? agent?.byProvider?.p : undefined;
  const channel = who.channel === 'c' ? of.byChannel?.c : undefined;
  return [of, provider, agent, both, channel].filter((part) => part !== undefined);
}

const profiles: Readonly<Record<string, readonly string[]>> = {
  full: ['*'],
  coding: ['Read', 'Edit', 'Bash', 'Agent', 'Recall'],
  minimal: [],
  own: ['B*', 'group:mcp'],
};

function isDenied(namedBy: readonly string[], of: PolicyConfig, who: Caller, defaultMaxDepth = 1): boolean {
  const names = (entries: readonly string[]) => entries.some((entry) => entry === '*' || namedBy.includes(entry));
  const {
    maxDepth = defaultMaxDepth,
    deny = ['AskUserQuestion', 'Config', 'group:memory'],
    leafDeny = ['group:sessions'],
  } = of.subagents ?? {};
  const depth = who.depth ?? 0;
  return (
    partsFor(of, who).some((part) => names(part.deny ?? [])) ||
    (depth > 0 && names(deny)) ||
    (depth >= maxDepth && names(leafDeny))
  );
}

/** A second, simple implementation of the policy. */
function expected(of: PolicyConfig, who: Caller, among = world, maxDepth = 1): string[] {
  const parts = partsFor(of, who);
  const ofProvider = who.provider === 'p' ? of.byProvider?.p?.profile : undefined;
  const start = profiles[ofProvider ?? of.profile ?? 'full'] ?? [];
  return among
    .filter(([, , namedBy]) => {
      const names = (entries: readonly string[]) => entries.some((entry) => entry === '*' || namedBy.includes(entry));
      const isCovered = names(start) && parts.every((part) => part.allow === undefined || names(part.allow));
      const isGivenBack = parts.some((part) => names(part.alsoAllow ?? []));
      return (isCovered || isGivenBack) && !isDenied(namedBy, of, who, maxDepth);
    })
    .map(([name]) => name);
}

test('a policy offers the tools of its config', () => {
  fc.assert(
    fc.property(config, caller, (of, who) => {
      expect(offered(of, who)).toEqual(expected(of, who));
    }),
    { numRuns: numRuns * 4 },
  );
});

test('an explanation of a denied tool says that it is denied', () => {
  fc.assert(
    fc.property(config, caller, (of, who) => {
      const policy = createPolicy(of);
      for (const [index, [, , namedBy]] of world.entries())
        if (isDenied(namedBy, of, who)) expect(policy.explain(tools[index] as Tool, who)).toMatch(/^denied by /);
    }),
    { numRuns },
  );
});

test('a toolkit and its registry offer, list and run the same tools for a config, its policy, and no policy', async () => {
  const root = temporaryFolder();
  const withLimit = fc.nat(2).map((maxDepth) => ({ subagents: { maxDepth } }));
  await fc.assert(
    fc.asyncProperty(fc.option(config, { nil: undefined }), caller, withLimit, async (of, who, limits) => {
      const wanted = expected(of ?? {}, who, registeredWorld, limits.subagents.maxDepth).toSorted();
      const given: readonly (Policy | PolicyConfig | undefined)[] =
        of === undefined ? [undefined, {}, createPolicy()] : [of, createPolicy(of)];
      for (const policy of given) {
        const toolkit = createToolkit({ root, permissions: 'bypassPermissions', limits, policy });
        register(toolkit.registry);
        const turn = calls(...toolkit.registry.names());
        const ran = await toolkit.execute(turn, { caller: who });
        const { registry } = toolkit;
        const ranAlone = await executeTools(turn, { registry, policy, permissions: allowAll, limits, caller: who });
        expect(
          toolkit
            .definitions(who)
            .map(({ name }) => name)
            .toSorted(),
        ).toEqual(wanted);
        for (const { results } of [ran, ranAlone]) {
          expect(results.flatMap(({ ok, name }) => (ok ? [name] : [])).toSorted()).toEqual(wanted);
          for (const result of results) if (!result.ok) expect(result.error.code).toBe('not_allowed');
        }
        await toolkit.dispose();
      }
    }),
    { numRuns: Math.ceil(numRuns / 5) },
  );
});

test('for every caller the answers are a boolean and one line', () => {
  const policy = createPolicy({
    byAgent: { a: { deny: ['Bash'] } },
    byProvider: { p: { profile: 'minimal' } },
    byChannel: { c: { allow: ['Read'] } },
  });
  const anyCaller = fc.record({
    sessionId: fc.string(),
    provider: fc.anything(),
    agentId: fc.anything(),
    channel: fc.anything(),
    depth: fc.anything(),
  });
  fc.assert(
    fc.property(anyCaller, fc.constantFrom(...tools), (who, candidate) => {
      expect(policy.offers(candidate, who as Caller)).toBeTypeOf('boolean');
      expect(policy.explain(candidate, who as Caller)).toMatch(/^.+$/);
    }),
    { numRuns },
  );
});
