import { expect, test } from 'vitest';
import { createLedger, createLoopGuard, type LedgerOptions, mergeHooks } from '../../src/guards.js';
import { Tool, type ToolEvent, type ToolkitOptions } from '../../src/index.js';
import { eachRow } from '../support/each-row.js';
import { testToolkit } from '../support/test-toolkit.js';

const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
const speak = Tool.define('Speak', {
  description: 'Says what it is told.',
  parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  sideEffect: 'none',
  execute: ({ text }: { text: string }) => {
    if (text.startsWith('fail')) throw new Error(text);
    return `said ${text}`;
  },
});

function recorded(options: LedgerOptions = {}, others: Partial<ToolkitOptions> = {}) {
  const ledger = createLedger(options);
  const toolkit = testToolkit({
    permissions: 'bypassPermissions',
    hooks: ledger.hooks,
    onEvent: ledger.onEvent,
    ...others,
  });
  toolkit.registry.register(speak);
  const say = async (text: unknown, sessionId = 's', agentId?: string, name = 'Speak') => {
    const caller = { sessionId, ...(agentId === undefined ? {} : { agentId }) };
    const { results } = await toolkit.execute([{ id: 'c', name, input: { text } }], { caller });
    return results[0];
  };
  return { ledger, toolkit, say };
}

test('calls are counted by session, agent and tool, also those that never started', async () => {
  const { ledger, say } = recorded();
  await Promise.all([say('one', 'a'), say('three', 'b', 'x')]);
  await say('fail', 'a');
  await say(undefined, 'a');
  await say('x', 'a', 'x', 'Nonsense');
  expect(ledger.report()).toMatchObject({
    calls: 5,
    failures: { execution_failed: 1, invalid_input: 1, unknown_tool: 1 },
    charsIn: '{"text":"one"}{"text":"three"}{"text":"fail"}'.length,
  });
  expect(ledger.report({ sessionId: 'b' })).toMatchObject({ calls: 1, failures: {}, charsOut: 'said three'.length });
  expect(ledger.report({ agentId: 'main' })).toMatchObject({ calls: 3 });
  expect(ledger.report({ agentId: 'x' }).rows).toMatchObject([
    { sessionId: 'b', agentId: 'x', tool: 'Speak', calls: 1 },
    { sessionId: 'a', agentId: 'x', tool: 'Nonsense', calls: 1 },
  ]);
  expect(ledger.report({ tool: 'Nonsense' })).toMatchObject({ calls: 1, failures: { unknown_tool: 1 }, charsIn: 0 });
  expect(ledger.report({ sessionId: 'nobody' })).toMatchObject({ calls: 0, failures: {}, rows: [], lastFailures: [] });
});

test('durations are those of the results', async () => {
  const { ledger, say } = recorded();
  const durations = [(await say('one'))?.durationMs, (await say('two'))?.durationMs] as number[];
  const { durationMs, maxDurationMs } = ledger.report();
  expect([durationMs, maxDurationMs]).toEqual([(durations[0] ?? 0) + (durations[1] ?? 0), Math.max(...durations)]);
});

test('the call after maxCalls fails with limit_reached until the session ends', async () => {
  const { ledger, toolkit, say } = recorded({ maxCalls: 2 });
  await say('one');
  await say('two', 's', 'x');
  const refused = await say('three');
  expect(refused).toMatchObject({ ok: false, error: { code: 'limit_reached' } });
  expect(refused?.output).toContain('all its 2 tool calls. Answer with what you have.');
  expect(await say('one', 'another')).toMatchObject({ ok: true });
  await toolkit.endSession('s');
  expect(await say('one')).toMatchObject({ ok: true });
  expect(ledger.report({ sessionId: 's' })).toMatchObject({ calls: 4, failures: { limit_reached: 1 } });
});

test('calls of one turn share the limit', async () => {
  const { toolkit } = recorded({ maxCalls: 2 });
  const calls = ['1', '2', '3', '4'].map((id) => ({ id, name: 'Speak', input: { text: id } }));
  const { results } = await toolkit.execute(calls);
  expect(results.filter(({ ok }) => ok)).toHaveLength(2);
});

test('a started call costs the price of its tool', async () => {
  const { ledger, say, toolkit } = recorded({ prices: { speak: 0.5 }, maxCalls: 3 });
  await say('one');
  await say('fail');
  await say(undefined);
  await toolkit.call('Read', { file_path: '/nowhere.txt' });
  await say('two');
  await say('refused');
  expect(ledger.report().cost).toBe(1.5);
  expect(ledger.report({ tool: 'Read' })).not.toHaveProperty('cost');
});

test('a price for an unknown tool gives a warning', async () => {
  const events: ToolEvent[] = [];
  const { say } = recorded({ prices: { Glop: 1 } }, { onEvent: (event) => void events.push(event) });
  await say('one');
  expect(events).toContainEqual(expect.objectContaining({ type: 'rule-warning', rule: 'Glop', near: 'Glob' }));
});

test('the last hundred failures are kept, scrubbed and bounded', async () => {
  const { ledger, say } = recorded();
  await say(`fail with ${secret}`);
  expect(ledger.report().lastFailures).toEqual([
    {
      ...{ sessionId: 's', agentId: 'main', tool: 'Speak', callId: 'c', code: 'execution_failed' },
      ...{ at: expect.any(Number), durationMs: expect.any(Number), message: 'fail with [REDACTED]' },
    },
  ]);
  for (let round = 1; round <= 100; round++) await say(`fail ${round} ${'long '.repeat(1_000)}`);
  const { lastFailures } = ledger.report();
  expect(lastFailures).toHaveLength(100);
  expect(lastFailures[0]?.message).toMatch(/^fail 1 /);
  expect(Math.max(...lastFailures.map(({ message }) => message.length))).toBeLessThan(2_100);
  expect(JSON.stringify(ledger.report())).not.toContain(secret);
});

test('made-up names do not grow the record without limit, and the sums stay right', () => {
  const ledger = createLedger();
  const result = { ok: true, callId: 'c', output: 'x', durationMs: 1 } as const;
  for (let index = 0; index < 10_050; index++) {
    const name = `tool-${index}`;
    ledger.onEvent({ type: 'tool-result', callId: 'c', name, result: { ...result, name } }, { sessionId: 's' });
  }
  const { rows, calls, charsOut } = ledger.report();
  expect([rows.length, calls, charsOut]).toEqual([10_000, 10_050, 10_050]);
  expect(ledger.report({ tool: '(others)' }).calls).toBe(51);
});

test('a listener without the caller is matched to the session if the hooks have seen the call', async () => {
  const ledger = createLedger();
  const { say } = recorded(
    {},
    { hooks: mergeHooks(createLoopGuard(), ledger.hooks), onEvent: (event) => ledger.onEvent(event) },
  );
  await say('one', 'a', 'x');
  await say(undefined, 'a');
  expect(ledger.report({ sessionId: 'a' }).rows).toMatchObject([{ agentId: 'x', calls: 1 }]);
  expect(ledger.report({ sessionId: '(unknown)' }).failures).toEqual({ invalid_input: 1 });
});

test('invalid options throw', () =>
  eachRow(
    [
      [{ maxCall: 3 }, 'maxCalls'],
      [{ maxCalls: 0 }, 'maxCalls takes a whole number from 1 up, or Infinity, not 0'],
      [{ prices: { Grep: '1' } }, 'prices takes an object of numbers from 0 up by the names of tools'],
      [{ prices: { Grep: -1 } }, 'prices takes'],
    ] as const,
    ([options, message]) => expect(() => createLedger(options as LedgerOptions)).toThrow(message),
  ));

test('a report with an unknown field throws', () => {
  expect(() => createLedger().report({ session: 's' } as object)).toThrow('sessionId');
});
