import { fakeTimers } from 'toolwright/testing';
import { describe, expect, test } from 'vitest';
import { type AskAnswer, createPermissions, type ToolEvent } from '../../src/core.js';
import { calls, deferred, never, run, tool } from '../support/pipeline.js';

const act = tool('Act', () => 'acted', { sideEffect: 'mutating' });
const limits = { approval: { timeoutMs: 120_000 } };

/** Turns of the agents of one session, which ask the same person, on one clock. */
function turnsOfOnePerson(onAsk: (agent: string) => Promise<AskAnswer> | AskAnswer) {
  const timers = fakeTimers();
  const permissions = createPermissions({ onAsk: (_, { caller }) => onAsk(caller.agentId ?? '') });
  const turn = (agentId: string, signal?: AbortSignal) =>
    run([act], calls('Act'), { permissions, timers, limits, caller: { sessionId: 's', agentId }, signal });
  return { timers, turn };
}

const isAsked = (events: readonly ToolEvent[]) => events.some(({ type }) => type === 'permission-ask');

describe('the time limit of a question', () => {
  test('starts when the question is shown, not while another question is open', async () => {
    const answers = new Map(['one', 'two', 'three'].map((session) => [session, deferred<AskAnswer>()]));
    const { timers, turn } = turnsOfOnePerson((session) => answers.get(session)?.promise ?? never);
    const turns = [...answers.keys()].map((session) => turn(session));
    for (const answer of answers.values()) {
      await timers.advance(119_000);
      answer.resolve('allow-once');
    }
    await timers.advance(0);
    for (const { results } of await Promise.all(turns)) expect(results).toMatchObject([{ ok: true, output: 'acted' }]);
    expect(timers.pending).toBe(0);
  });

  test('is two minutes for each question in turn', async () => {
    const { timers, turn } = turnsOfOnePerson(() => never);
    const turns = [turn('one'), turn('two')];
    let done = 0;
    for (const one of turns) void one.then(() => (done += 1));
    const doneAfter = async (ms: number) => {
      await timers.advance(ms);
      return done;
    };
    expect(await doneAfter(119_999)).toBe(0);
    expect(await doneAfter(1)).toBe(1);
    expect(await doneAfter(119_999)).toBe(1);
    expect(await doneAfter(1)).toBe(2);
    for (const { results, events } of await Promise.all(turns)) {
      expect(results).toMatchObject([{ ok: false, error: { code: 'permission_denied' } }]);
      expect(isAsked(events)).toBe(true);
    }
  });

  test('does not delay a turn that aborts while its question is queued', async () => {
    const first = deferred<AskAnswer>();
    const { timers, turn } = turnsOfOnePerson(() => first.promise);
    const stop = new AbortController();
    const turns = [turn('one'), turn('two', stop.signal)];
    await timers.advance(1_000);
    stop.abort();
    const { results, events } = (await turns[1]) ?? { results: [], events: [] };
    expect(results).toMatchObject([{ error: { code: 'cancelled' } }]);
    expect(isAsked(events)).toBe(false);
    first.resolve('allow-once');
    expect((await turns[0])?.results).toMatchObject([{ ok: true }]);
  });

  test('starts at the call if the host has its own permissions', async () => {
    const timers = fakeTimers();
    const pending = run([act], calls('Act'), { timers, limits, permissions: { check: () => never } });
    await timers.advance(120_000);
    const { results, events } = await pending;
    expect(results).toMatchObject([{ error: { code: 'permission_denied' } }]);
    expect(isAsked(events)).toBe(false);
  });
});

test('a question whose announcement ends the turn reaches no person', async () => {
  const stop = new AbortController();
  let asked = 0;
  const permissions = createPermissions({
    onAsk: () => {
      asked += 1;
      return 'allow-once';
    },
  });
  const onEvent = ({ type }: ToolEvent) => {
    if (type === 'permission-ask') stop.abort();
  };
  const { results } = await run([act], calls('Act'), { permissions, signal: stop.signal, onEvent });
  expect(results).toMatchObject([{ error: { code: 'cancelled' } }]);
  expect(asked).toBe(0);
});
