import { expect, test } from 'vitest';
import type { ToolHooks } from '../../src/core.js';
import { createPermissions, type Permissions, type Target } from '../../src/index.js';
import { eachRow } from '../support/each-row.js';
import { calls, run, tool } from '../support/pipeline.js';

const reason = 'not on Fridays';

/** The forms of a denial by each callback. */
const noes: readonly (readonly [
  who: string,
  options: { permissions?: Permissions; hooks?: ToolHooks },
  says?: object,
])[] = [{ behavior: 'deny', reason } as const, { behavior: 'deny', message: reason } as const].flatMap((no) => [
  [`check, ${Object.keys(no).join()}`, { permissions: { check: async () => no } }],
  [`decide, ${Object.keys(no).join()}`, { permissions: { check: async () => no, decide: () => no } }],
  [`onAsk, ${Object.keys(no).join()}`, { permissions: createPermissions({ onAsk: () => no }) }],
  [`classify, ${Object.keys(no).join()}`, { permissions: createPermissions({ classify: () => no }) }],
  [`checkCommand, ${Object.keys(no).join()}`, { permissions: createPermissions({ checkCommand: () => no }) }],
  [`the tool, ${Object.keys(no).join()}`, { permissions: createPermissions({ allow: ['*'] }) }, no],
]);

function callOwn(options: (typeof noes)[number][1], says?: object) {
  const targets = (): Target[] => [{ kind: 'command', command: 'make' }];
  const own = tool('Own', () => 'ran', { sideEffect: 'mutating', targets, verdict: () => says });
  return run([own], calls('Own'), options);
}

test('a denial is accepted from every callback, with either name of its reason', () =>
  eachRow(noes, async ([, options, says]) => {
    const { results } = await callOwn(options, says);
    expect(results[0]).toMatchObject({ ok: false });
    expect(results[0]?.output).toContain(reason);
  }));

/** A decision with only a behavior, by each callback. */
const bare = (behavior: 'deny' | 'ask'): typeof noes => [
  ['check', { permissions: { check: async () => ({ behavior }), onAsk: () => 'deny' } }],
  ['decide', { permissions: { check: async () => ({ behavior }), decide: () => ({ behavior }), onAsk: () => 'deny' } }],
  ['checkCommand', { permissions: createPermissions({ checkCommand: () => ({ behavior }), onAsk: () => 'deny' }) }],
  ['classify', { permissions: createPermissions({ classify: () => ({ behavior }), onAsk: () => 'deny' }) }],
  ['the tool', { permissions: createPermissions({ allow: ['*'], onAsk: () => 'deny' }) }, { behavior }],
];

test('a denial needs no reason, and gives no warning', () =>
  eachRow(
    [...bare('deny'), ['onAsk', { permissions: createPermissions({ onAsk: () => ({ behavior: 'deny' }) }) }] as const],
    async ([, options, says]) => {
      const { results, events } = await callOwn(options, says);
      expect(results[0]).toMatchObject({ ok: false });
      expect(results[0]?.output).not.toMatch(/undefined|usable|could not? be asked/);
      expect(events.some(({ type }) => type === 'tool-start')).toBe(false);
    },
  ));

test('a question needs no reason', () =>
  eachRow(bare('ask'), async ([, options, says]) => {
    const { results, events } = await callOwn(options, says);
    expect(results[0]?.output).toContain('The user refused Own');
    expect(events).toContainEqual(expect.objectContaining({ type: 'permission-ask' }));
  }));

test('a denial without a reason can end the turn', async () => {
  const check = async () => ({ behavior: 'deny', interrupt: true }) as const;
  const { interrupted } = await callOwn({ permissions: { check } });
  expect(interrupted).toBe(true);
});

const hooks: readonly (readonly [answer: object, output: string])[] = [
  [{ behavior: 'deny', reason }, `Error: denied by hook: ${reason}`],
  [{ decision: 'deny', reason }, `Error: denied by hook: ${reason}`],
  [{ decision: 'block', reason }, `Error: denied by hook: ${reason}`],
  [{ behavior: 'ask', reason }, `Error: denied by hook: ${reason}`],
  [{ behavior: 'allow', decision: 'deny', reason }, `Error: denied by hook: ${reason}`],
  [{ behavior: 'deny' }, 'Error: denied by hook: no reason was given'],
  [{ behavior: 'ask' }, 'Error: denied by hook: no reason was given'],
  [{ behavior: 'allow' }, 'ran'],
  [{ decision: 'allow' }, 'ran'],
  [{ behavior: 'Deny', decision: 'allow' }, 'Error: denied by hook: the hook failed: '],
];

test('a hook may deny in the common form or in older forms, and one denial among them denies', () =>
  eachRow(hooks, async ([answer, output]) => {
    const own = tool('Own', () => 'ran', {});
    const PreToolUse = [{ hooks: [() => answer] }];
    const { results } = await run([own], calls('Own'), { hooks: { PreToolUse }, permissions: 'bypassPermissions' });
    expect(results[0]?.output).toContain(output);
  }));

test('a callback that asks may give its reason in the common form', async () => {
  const asked: (string | undefined)[] = [];
  const onAsk: Permissions['onAsk'] = ({ reason: why }) => {
    asked.push(why);
    return { behavior: 'allow' };
  };
  const own = tool('Own', () => 'ran', { sideEffect: 'mutating' });
  const permissions: Permissions = { check: async () => ({ behavior: 'ask', reason }), onAsk };
  const { results } = await run([own], calls('Own'), { permissions });
  expect([results[0]?.output, asked]).toEqual(['ran', [reason]]);
});

test('a decision of permissions has its reason under both names', async () => {
  const permissions = createPermissions({ deny: ['Own'] });
  const request = { callId: 'c', tool: 'Own', input: {}, sideEffect: 'none', risk: 'none', title: 'Own' } as const;
  const scope = { caller: { sessionId: 's' }, signal: new AbortController().signal };
  const decision = await permissions.check({ ...request, warnings: [], suggestions: [] }, scope);
  expect(decision).toMatchObject({ behavior: 'deny', reason: expect.stringContaining('The rule Own denies') });
  expect(decision.behavior === 'deny' && decision.message).toBe(decision.reason);
});
