import { getEventListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import { fakeTimers } from 'toolwright/testing';
import { expect, test } from 'vitest';
import { executeTools, type ToolCallResult, type ToolEvent, ToolRegistry } from '../../src/core.js';
import { eachRow } from '../support/each-row.js';
import { allowAll, calls, tool } from '../support/pipeline.js';
import { faults } from '../support/pipeline-faults.js';

interface Case {
  readonly id: string;
  readonly class: string;
  readonly where: string;
  readonly fault: string;
  readonly expect: readonly string[];
}

const cases: readonly Case[] = JSON.parse(
  readFileSync(new URL('../fixtures/pipeline-faults.json', import.meta.url), 'utf8'),
);
const callMs = 1_000;
/** A little more than the longest limit. */
const limitMs = 130_000;

/** Runs a turn whose middle call has a fault, and continues until all late events have come. */
async function play(name: string) {
  const timers = fakeTimers();
  const world = { timers, stop: new AbortController(), executed: [] as string[] };
  const {
    execute = () => 'acted',
    options = {},
    turn = calls('Before', 'Act', 'After'),
    abortAfterMs,
  } = (faults.get(name) ?? unknownFault)(world);
  const noted = (input: unknown, context: Parameters<typeof execute>[1] & { readonly callId: string }) => {
    world.executed.push(context.callId);
    return execute(input, context);
  };
  const act = tool('Act', noted as never, { timeoutMs: callMs });
  const neighbour = (called: string) => tool(called, () => called);
  const registry = new ToolRegistry()
    .register(
      neighbour('Before'),
      act,
      neighbour('After'),
      tool('Agent', () => 'spawned', { groups: ['sessions'] }),
    )
    .allow('Before', 'After');
  const events: ToolEvent[] = [];
  if (abortAfterMs !== undefined) timers.set(() => world.stop.abort(), abortAfterMs);
  const { onEvent } = options;
  const began = timers.now();
  let endedAt = Number.POSITIVE_INFINITY;
  const pending = executeTools(turn, {
    registry,
    permissions: allowAll,
    timers,
    signal: world.stop.signal,
    ...options,
    onEvent: (event) => {
      events.push(event);
      return onEvent?.(event);
    },
  }).then((outcome) => {
    endedAt = timers.now();
    return { ...outcome, eventsAtEnd: events.length, said: JSON.stringify(outcome.results) };
  });
  await timers.advance(limitMs);
  const outcome = await pending;
  await timers.advance(20_000_000);
  return {
    ...outcome,
    turn,
    events,
    executed: world.executed,
    tookMs: endedAt - began,
    signal: world.stop.signal,
    timers,
  };
}

function unknownFault(): never {
  throw new Error('there is no such fault');
}

type Played = Awaited<ReturnType<typeof play>>;
const codeOf = (result: ToolCallResult | undefined) => (result?.ok === false ? result.error.code : undefined);

/** The checks for each expectation. */
const checks: Readonly<Record<string, (played: Played) => void>> = {
  one_result_per_call: () => {},
  every_call_has_one_result: () => {},
  bounded_time: ({ tookMs }) => expect(tookMs).toBeLessThanOrEqual(limitMs),
  is_error: ({ results }) => expect(results[1]?.ok).toBe(false),
  ends_at_limit: ({ results, tookMs }) => {
    expect(codeOf(results[1])).toBe('timeout');
    expect(tookMs).toBeLessThanOrEqual(callMs + 3_000);
  },
  runs: ({ results, executed }) => {
    expect(executed).toHaveLength(1);
    expect(results[1]?.ok).toBe(true);
  },
  second_runs: ({ results }) => expect(results[1]?.ok).toBe(true),
  not_executed: ({ results, executed }) => {
    expect(executed).toEqual([]);
    expect(results[1]?.ok).toBe(false);
  },
  result_not_lost: ({ results }) => expect(results[1]).toMatchObject({ ok: true, output: 'acted' }),
  rewritten: ({ results }) => expect(results[1]).toMatchObject({ ok: true, output: 'late' }),
  error_not_lost: ({ results }) =>
    expect(results[1]).toMatchObject({ ok: false, output: 'Error: failed', error: { code: 'execution_failed' } }),
  result_is_bounded: ({ said }) => expect(said.length).toBeLessThan(140_000),
  nothing_unscrubbed: ({ said }) => expect(said).not.toContain('acted'),
  rest_is_cancelled: ({ results }) => expect(codeOf(results[2])).toBe('cancelled'),
  says_interrupted: ({ interrupted }) => expect(interrupted).toBe(true),
  exactly_5_run: ({ results, executed }) => {
    expect(executed).toHaveLength(5);
    expect(results.map(({ ok }) => ok)).toEqual(results.map((_, index) => index < 5));
  },
  none_runs: ({ results, executed }) => {
    expect(executed).toEqual([]);
    expect(results.map(codeOf)).toEqual(results.map(() => 'rate_limited'));
  },
  refused: ({ results }) => expect(codeOf(results[0])).toBe('not_allowed'),
};

/** The checks for every fault. */
function checkTurn({ results, turn, events, eventsAtEnd, said, signal, timers, interrupted }: Played): void {
  expect(results).toHaveLength(turn.length);
  expect(JSON.stringify(results)).toBe(said);
  expect(events).toHaveLength(eventsAtEnd);
  expect(JSON.parse(JSON.stringify(events))).toEqual(events);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  expect(timers.pending).toBe(0);
  for (const result of results) if (!result.ok) expect(result.output).toMatch(/^Error: (?!Error: )/);
  const count = (type: string) => events.filter((event) => event.type === type).length;
  expect(count('tool-start')).toBe(count('tool-end'));
  expect(count('tool-start') + count('tool-refused')).toBe(turn.length);
  expect(count('tool-result')).toBe(turn.length);
  // The neighbours are not affected, unless the whole turn has ended.
  if (turn.length === 3 && !interrupted && codeOf(results[0]) !== 'rate_limited')
    expect([results[0]?.ok, results[2]?.ok]).toEqual([true, true]);
}

test.each([...new Set(cases.map((one) => one.class))])('fault: %s', (kind) => {
  const faultsOfKind = cases.filter((one) => one.class === kind && one.fault !== 'import only');
  return eachRow(
    faultsOfKind,
    async ({ where, fault, expect: wanted }) => {
      const played = await play(`${where}: ${fault}`);
      checkTurn(played);
      for (const check of wanted) {
        expect(Object.keys(checks)).toContain(check);
        checks[check]?.(played);
      }
    },
    ({ where, fault }) => `${where}: ${fault}`,
  );
});

test('the table contains every fault', () => {
  const known = cases
    .map(({ where, fault }) => `${where}: ${fault}`)
    .filter((name) => name !== 'registry: import only');
  expect(known.sort()).toEqual([...faults.keys()].sort());
});
