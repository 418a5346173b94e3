import { describe, expect, test } from 'vitest';
import { type Caller, createPolicy, createToolkit, type Tool } from '../../src/index.js';
import { table } from '../support/each-row.js';
import { tool as makeTool } from '../support/pipeline.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/**
 * Every tool in the default lists, and the depths at which it is offered if agents may start others at depths 0 and 1.
 */
const depths: Readonly<Record<string, readonly [main: boolean, middle: boolean, deepest: boolean]>> = {
  ...rows([true, true, false], 'Agent Subagents TeamCreate TeamDelete sessions_list sessions_history'),
  ...rows([true, false, false], 'sessions_send session_status gateway agents_list whatsapp_login cron memory_search'),
  ...rows([true, false, false], 'memory_get AskUserQuestion EnterPlanMode ExitPlanMode Config'),
  ...rows([true, true, true], 'SendMessage Read Bash TodoWrite Mine'),
};

function rows(row: readonly [boolean, boolean, boolean], names: string) {
  return Object.fromEntries(names.split(' ').map((name) => [name, row]));
}

function stub(name: string, ...groups: readonly string[]): Tool {
  return makeTool(name, () => `${name} ran`, { groups, replace: true });
}

const at = (depth: number): Caller => ({ sessionId: `depth ${depth}`, depth });

describe.each([
  ['policy', { policy: { subagents: { maxDepth: 2 } } }],
  ['limits', { limits: { subagents: { maxDepth: 2 } } }],
])('the maximum depth by %s', (_place, options) => {
  test.each([0, 1, 2])('at depth %i a tool is listed exactly if it can be called', async (depth) => {
    await using toolkit = createToolkit({ root: temporaryFolder(), permissions: 'bypassPermissions', ...options });
    const { registry } = toolkit;
    for (const name of registry.names()) registry.unregister(name);
    registry.register(...Object.keys(depths).map((name) => stub(name)));
    const listed = toolkit.definitions(at(depth)).map(({ name }) => name);
    const { results } = await toolkit.execute(
      Object.keys(depths).map((name) => ({ id: name, name, input: {} })),
      { caller: at(depth) },
    );
    const called = results.filter(({ ok }) => ok).map(({ callId }) => callId);
    const refused = results.flatMap((result) => (result.ok ? [] : [result.error.code]));
    expect(listed.toSorted()).toEqual(
      Object.keys(depths)
        .filter((name) => depths[name]?.[depth])
        .toSorted(),
    );
    expect(called.toSorted()).toEqual(listed.toSorted());
    expect(new Set(refused)).toEqual(new Set(refused.length === 0 ? [] : ['not_allowed']));
  });
});

test('a custom tool that starts agents is denied at the maximum depth if it declares the group', () => {
  const policy = createPolicy();
  expect(policy.offers(stub('spawn_helper', 'sessions'), at(1))).toBe(false);
  expect(policy.offers(stub('SendMessage', 'messaging'), at(1))).toBe(true);
});

test('a leafDeny list of the host replaces the default', () => {
  const policy = createPolicy({ subagents: { leafDeny: ['group:sessions'] } });
  expect(policy.offers(stub('SendMessage'), at(1))).toBe(false);
});

table([
  ['messaging', 'SendMessage sessions_list sessions_history sessions_send session_status'],
  ['minimal', 'session_status'],
])('the profiles offer their tools', (profile, names) => {
  const policy = createPolicy({ profile });
  const offered = Object.keys(depths).filter((name) => policy.offers(stub(name), at(0)));
  expect(offered.toSorted()).toEqual(names.split(' ').toSorted());
});

test('unknown tool names in profiles give no warning', () => {
  expect(() => createPolicy({ deny: ['no_such_tool'], alsoAllow: ['another'] })).not.toThrow();
});

test('a policy sets the maximum depth', () => {
  expect(createPolicy().maxDepth).toBe(1);
  expect(createPolicy({ subagents: { maxDepth: 3 } }).withDefaults({ maxDepth: 2 }).maxDepth).toBe(3);
  expect(createPolicy().withDefaults({ maxDepth: 2 }).maxDepth).toBe(2);
});
