import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { agentWorld, heldSpawner, main, task } from '../support/agent-world.js';
import { callScope } from '../support/call-scope.js';
import { eachRow } from '../support/each-row.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

const childOf = (agentId: string, depth = 1) => ({ ...main, agentId, depth });
const later = (ms = 0) => vi.advanceTimersByTimeAsync(ms);

test('a subagent runs to its end as the child of its parent', async () => {
  const spawner = heldSpawner();
  const { manager, ends } = agentWorld(spawner);
  const parent = { ...main, userId: 'u1', messageId: 'm1' };
  const running = manager.run(
    { ...task, type: 'reviewer', model: 'small', maxTurns: 3 },
    callScope({ caller: parent }),
  );
  expect(manager.list()).toMatchObject([{ state: 'spawning', type: 'reviewer', depth: 1 }]);
  await later();
  const [run] = spawner.runs;
  expect(run?.request).toMatchObject({ ...task, type: 'reviewer', model: 'small', maxTurns: 3, tools: [] });
  expect(run?.scope.caller).toEqual({ sessionId: 's1', userId: 'u1', agentId: run?.request.id, depth: 1 });
  run?.request.report({ turn: 2 });
  expect(manager.list(main)).toMatchObject([{ state: 'running', turns: 2 }]);
  await later(40);
  run?.end({ output: 'found', usage: { turns: 2, toolCalls: -1, inputTokens: 'many' } });
  const outcome = {
    agentId: run?.request.id,
    state: 'completed',
    output: 'found',
    usage: { turns: 2 },
    durationMs: 40,
  };
  expect(await running).toEqual(outcome);
  expect(manager.list()).toMatchObject([{ state: 'completed' }]);
  expect(ends).toEqual([]);
});

test('a spawner without a list of models gets any', async () => {
  for (const models of [undefined, []]) {
    const spawner = { ...heldSpawner(), models };
    const { manager } = agentWorld(spawner);
    const { done } = manager.start({ ...task, model: 'any-model' }, main);
    await later();
    expect(spawner.runs[0]?.request.model).toBe('any-model');
    spawner.runs[0]?.end({ output: 'done' });
    await done;
  }
});

test('a background subagent is a task, and its end is announced', async () => {
  const spawner = heldSpawner();
  const { manager, tasks, ends } = agentWorld(spawner);
  const { id, taskId, done } = manager.start(task, main);
  await later();
  spawner.runs[0]?.request.report({ text: 'half way', turn: 1 });
  spawner.runs[0]?.end({ output: 'all of it' });
  await done;
  expect(ends).toMatchObject([{ agentId: id, caller: main, description: task.description, state: 'completed' }]);
  expect(await tasks.read(taskId, 'r', 0, callScope())).toMatchObject({
    state: 'completed',
    output: 'half way\nall of it',
  });
});

describe('the manager refuses', () => {
  const limits = { maxConcurrent: 3, maxChildren: 2, maxTotal: 4, maxDepth: 2 };
  const start = (manager: ReturnType<typeof agentWorld>['manager'], count: number, caller = main) =>
    Array.from({ length: count }, () => manager.start(task, caller));

  const passing = [
    ['maxChildren', (world: ReturnType<typeof agentWorld>) => start(world.manager, 2), main],
    ['maxDepth', () => [], childOf('other', 2)],
    ['maxDepth', () => [], childOf('other', -1)],
    ['maxDepth', () => [], childOf('other', Number.NaN)],
    [
      'maxConcurrent',
      ({ manager }: ReturnType<typeof agentWorld>) => [...start(manager, 2), ...start(manager, 1, { sessionId: 's2' })],
      { sessionId: 's3' },
    ],
  ] as const;
  test('a start over a limit', () =>
    eachRow(passing, async ([limit, before, caller]) => {
      const world = agentWorld(heldSpawner(), limits);
      before(world);
      const metadata = { limit, max: limits[limit] };
      const message = expect.stringMatching(new RegExp(`limits.subagents.${limit} is .*Do the work yourself`));
      await expect(world.manager.run(task, callScope({ caller }))).rejects.toMatchObject({
        code: 'limit_reached',
        message,
        metadata,
      });
      await world.manager.dispose();
    }));

  test('more starts than a session may make, for any outcome of the others', async () => {
    const spawner = heldSpawner();
    const { manager } = agentWorld(spawner, limits);
    for (let count = 0; count < 4; count++) {
      const { done } = manager.start(task, main);
      await later();
      spawner.runs.at(-1)?.fail(new Error('no'));
      await done;
    }
    expect(() => manager.start(task, main)).toThrow('limits.subagents.maxTotal is 4');
    expect(() => manager.start(task, { sessionId: 's2' })).not.toThrow();
    await manager.endSession('s1');
    expect(() => manager.start(task, main)).not.toThrow();
    await manager.dispose();
    expect(() => manager.start(task, main)).toThrow('has ended');
  });

  const wrongFields = [
    [{ type: 'reviwer' }, 'subagent_type: there is no "reviwer". Did you mean "reviewer"?'],
    [{ type: '__proto__' }, 'subagent_type: there is no'],
    [{ model: 'smal' }, 'model: there is no "smal". Did you mean "small"?'],
    [{ maxTurns: 21 }, 'max_turns: expected a whole number from 1 to 20'],
    [{ maxTurns: 0 }, 'max_turns: expected'],
    [{ resume: 'agent_1' }, 'You have no subagent "agent_1"; it may be archived.'],
    [{ name: 'ann' }, 'name: "ann" is taken.'],
    [{ mode: 'plann' }, 'mode: there is no "plann". Did you mean "plan"?'],
    [{ isolation: 'worktee' as never }, 'isolation: there is no "worktee".'],
    [{ prompt: undefined as never }, 'prompt: expected text'],
    [{ description: 5 as never }, 'description: expected text'],
  ] as const;
  test('an invalid field, by its name', () =>
    eachRow(wrongFields, async ([wrong, message]) => {
      const { manager } = agentWorld(heldSpawner());
      manager.start({ ...task, name: 'ann' }, main);
      expect(() => manager.start({ ...task, ...wrong }, main)).toThrow(message);
      expect(manager.list()).toHaveLength(1);
      await manager.dispose();
    }));

  test('every start without a spawner, with the request', async () => {
    const { manager } = agentWorld(undefined);
    await expect(manager.run(task, callScope())).rejects.toMatchObject({
      code: 'not_configured',
      metadata: { error: 'LLM_ASSIST_REQUIRED', request: task },
    });
  });

  test('a start without room among the tasks, without a trace', () => {
    const full = () => {
      throw new Error('full');
    };
    const { manager } = agentWorld(heldSpawner(), { maxTotal: 1 }, { tasks: { start: full, stop: async () => {} } });
    for (let count = 0; count < 3; count++) expect(() => manager.start(task, main)).toThrow('full');
    expect(manager.list()).toEqual([]);
  });
});

describe('a spawner that', () => {
  const rows = [
    ['throws', new Error('the model is down'), 'failed', 'execution_failed', 'the model is down'],
    ['answers nothing', undefined, 'failed', 'execution_failed', 'no usable answer'],
    ['answers nonsense', { output: 5 }, 'failed', 'execution_failed', 'no usable answer'],
  ] as const;
  test('fails or returns an invalid answer gives one failure', () =>
    eachRow(rows, async ([, answer, state, code, message]) => {
      const spawn = async () => {
        if (answer instanceof Error) throw answer;
        return answer as never;
      };
      const { manager } = agentWorld({ spawn });
      const outcome = await manager.run(task, callScope());
      expect(outcome).toMatchObject({ state, error: { code, message: expect.stringContaining(message) } });
      expect(manager.list()).toMatchObject([{ state: 'failed' }]);
    }));

  test('ignores its abort is abandoned, and reports nothing any more', async () => {
    const spawner = heldSpawner({ isDeaf: true });
    const { manager } = agentWorld(spawner);
    const abort = new AbortController();
    const running = manager.run(task, callScope({ signal: abort.signal }));
    await later();
    const [run] = spawner.runs;
    abort.abort();
    await later(99);
    expect(manager.list()).toMatchObject([{ state: 'running' }]);
    await later(1);
    expect(await running).toMatchObject({ state: 'cancelled', error: { code: 'interrupted' } });
    run?.request.report({ turn: 9, text: 'still here' });
    expect(run?.request.inbox()).toEqual([]);
    run?.end({ output: 'too late' });
    await later();
    expect(manager.list()).toMatchObject([{ state: 'cancelled', turns: 0 }]);
    expect(manager.mayAct(run?.scope.caller ?? main)).toBe(false);
    expect(() => manager.start(task, run?.scope.caller ?? main)).toThrow('has ended');
  });

  test('exceeds its rounds is ended', async () => {
    const spawner = heldSpawner();
    const { manager } = agentWorld(spawner);
    const running = manager.run({ ...task, maxTurns: 2 }, callScope());
    await later();
    for (const turn of [1, 2, 3]) spawner.runs[0]?.request.report({ turn });
    expect(await running).toMatchObject({ state: 'failed', error: { code: 'limit_reached' } });
  });
});

describe('the end of a parent', () => {
  const deep = { maxDepth: 3 };

  test('ends its children, the deepest first, for any kind of end', () =>
    eachRow(['ends', 'fails', 'is cancelled', 'is aborted', 'is stopped as a task'], async (how) => {
      const spawner = heldSpawner();
      const order: string[] = [];
      const onGone = ({ agentId = '' }) => void order.push(agentId);
      const { manager, tasks } = agentWorld(spawner, deep, { onGone });
      const abort = new AbortController();
      let taskId = '';
      const first =
        how === 'is aborted'
          ? manager.run(task, callScope({ signal: abort.signal }))
          : (({ done, taskId: id }) => {
              taskId = id;
              return done;
            })(manager.start(task, main));
      await later();
      const callers = [];
      for (const level of [0, 1, 2]) {
        const caller = spawner.runs[level]?.scope.caller;
        if (caller === undefined) throw new Error('it does not run');
        callers.push(caller);
        if (level < 2) manager.start(task, caller);
        await later();
      }
      if (how === 'ends') spawner.runs[0]?.end();
      else if (how === 'fails') spawner.runs[0]?.fail(new Error('no'));
      else if (how === 'is aborted') abort.abort();
      else if (how === 'is stopped as a task') await tasks.stop(taskId);
      else expect(await manager.cancel(callers[0]?.agentId ?? '')).toHaveLength(1);
      await first;
      await later();
      expect(order).toEqual(callers.map(({ agentId }) => agentId).reverse());
      expect(manager.list().map(({ state }) => state)).not.toContain('running');
      expect(tasks.list().map(({ state }) => state)).not.toContain('running');
    }));
});

test('cancel ends one, all or the last, and twice at once is the same as once', async () => {
  const { manager, tasks } = agentWorld(heldSpawner());
  const ids = [1, 2, 3, 4].map(() => manager.start(task, main).id);
  await later();
  const [first = ''] = ids;
  const both = await Promise.all([manager.cancel(first), manager.cancel(first), manager.cancel('last', main)]);
  expect(both).toEqual([[first], [first], [ids[3]]]);
  expect(await manager.cancel(first)).toEqual([]);
  await expect(manager.cancel('agent_x', main)).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(manager.cancel(first, childOf('other'))).rejects.toMatchObject({ code: 'invalid_input' });
  expect(await manager.cancel('all', childOf('other'))).toEqual([]);
  expect(await manager.cancel('all')).toEqual([ids[1], ids[2]]);
  expect(tasks.list().map(({ state }) => state)).toEqual(Array(4).fill('stopped'));
});

describe('steer', () => {
  test('continues with the message after a pause, without counting for the total', async () => {
    const spawner = heldSpawner();
    const { manager } = agentWorld(spawner, { maxTotal: 1 });
    const { id, done } = manager.start(task, main);
    await later();
    const steered = [manager.steer(id, 'Look left.', main), manager.steer(id, 'Then right.', main)];
    await later(499);
    expect(spawner.runs).toHaveLength(1);
    await later(1);
    await Promise.all(steered);
    expect(spawner.runs[1]?.request).toMatchObject({ id, resume: id, message: 'Look left.\n\nThen right.' });
    expect(spawner.runs[0]?.scope.signal.aborted).toBe(true);
    spawner.runs[1]?.end();
    expect(await done).toMatchObject({ state: 'completed', output: 'done' });
    await expect(manager.steer(id, 'Again.')).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(manager.steer('agent_x', 'Again.')).rejects.toMatchObject({ code: 'invalid_input' });
  });

  test('ends the subagents of the steered one, also in the background, and affects no other', async () => {
    const { manager, tasks } = agentWorld(heldSpawner(), { maxDepth: 2 });
    const { id } = manager.start(task, main);
    const other = manager.start(task, main);
    await later();
    const child = manager.start(task, childOf(id));
    const awaited = manager.run(task, callScope({ caller: childOf(id) }));
    await later();
    const steered = manager.steer(id, 'Look left.', main);
    await later(500);
    await steered;
    const stateOf = (of: string) => tasks.list().find(({ taskId }) => taskId === of)?.state;
    expect([stateOf(child.taskId), stateOf(other.taskId)]).toEqual(['stopped', 'running']);
    expect(manager.list(childOf(id)).map(({ state }) => state)).toEqual(['cancelled', 'cancelled']);
    expect(manager.list(main).map(({ state }) => state)).toEqual(['running', 'running']);
    await manager.cancel('all');
    await awaited;
  });

  test('during its pause accepts another message, and a cancel ends it', async () => {
    const spawner = heldSpawner();
    const { manager } = agentWorld(spawner);
    const { id } = manager.start(task, main);
    await later();
    const first = manager.steer(id, 'Look left.');
    await later(200);
    const second = manager.steer(id, 'No, right.');
    await later(300);
    await Promise.all([first, second]);
    expect(spawner.runs[1]?.request.message).toBe('Look left.\n\nNo, right.');
    const third = expect(manager.steer(id, 'Up.')).rejects.toMatchObject({ code: 'interrupted' });
    await later(100);
    await manager.cancel(id);
    await third;
    expect(spawner.runs).toHaveLength(2);
  });
});

test('an ended subagent is resumed by its parent only, until it is archived', async () => {
  const spawner = heldSpawner();
  const forgotten: string[] = [];
  const { manager } = agentWorld({ ...spawner, forget: (id) => void forgotten.push(id) });
  const { id, done } = manager.start({ ...task, type: 'reviewer', mode: 'dontAsk' }, main);
  await later();
  expect(() => manager.start({ ...task, resume: id }, main)).toThrow('is still running');
  spawner.runs[0]?.end();
  await done;
  expect(() => manager.start({ ...task, resume: id }, childOf('other', 0))).toThrow('You have no subagent');
  const again = manager.start({ description: 'go on', prompt: 'And now?', resume: id }, main);
  await later();
  expect(again.id).toBe(id);
  expect(spawner.runs[1]?.request).toMatchObject({
    id,
    resume: id,
    message: 'And now?',
    type: 'reviewer',
    mode: 'dontAsk',
  });
  spawner.runs[1]?.end();
  await again.done;
  await later(3_599_999);
  expect(manager.list()).toHaveLength(1);
  await later(1);
  expect(manager.list()).toEqual([]);
  expect(forgotten).toEqual([id]);
});

test('messages are read in order before the next round, and a full mailbox refuses', async () => {
  const spawner = heldSpawner();
  const { manager } = agentWorld(spawner, { maxMessages: 2, maxMessageChars: 5 });
  const { id, done } = manager.start(task, main);
  await later();
  const message = (text: string) => ({ from: 'lead', text, type: 'message' as const });
  manager.deliver(id, message('one'));
  manager.deliver(id, message('two'));
  expect(() => manager.deliver(id, message('three'))).toThrow('2 messages wait');
  expect(spawner.runs[0]?.request.inbox().map(({ text }) => text)).toEqual(['one', 'two']);
  expect(() => manager.deliver(id, message('too long'))).toThrow('at most 5 characters');
  spawner.runs[0]?.end();
  await done;
  expect(() => manager.deliver(id, message('late'))).toThrow('has ended');
});

test('a subagent that continues after it was removed can do nothing until it has ended', async () => {
  const spawner = heldSpawner({ isDeaf: true });
  const { manager } = agentWorld(spawner);
  manager.start(task, main);
  await later();
  const ending = manager.endSession('s1');
  await later(100);
  await ending;
  const caller = spawner.runs[0]?.scope.caller ?? main;
  expect(manager.list()).toEqual([]);
  expect(manager.mayAct(caller)).toBe(false);
  expect(() => manager.start(task, caller)).toThrow('has ended');
  spawner.runs[0]?.end();
  await later();
  expect(manager.lineOf(caller)).toEqual([]);
});

test('a subagent that starts while its session ends is not lost', async () => {
  const spawner = heldSpawner({ isDeaf: true });
  const { manager } = agentWorld(spawner);
  manager.start(task, main);
  await later();
  const ending = manager.endSession('s1');
  const { id } = manager.start(task, main);
  await later(100);
  await ending;
  expect(manager.list()).toMatchObject([{ agentId: id, state: 'running' }]);
  const cancelled = manager.cancel(id);
  await later(100);
  expect(await cancelled).toEqual([id]);
});

test('a subagent that is cancelled before its start was never started', async () => {
  const spawner = heldSpawner();
  const { manager, tasks, ends } = agentWorld(spawner, { maxTotal: 1 });
  for (let count = 0; count < 3; count++) {
    const { id, done } = manager.start(task, main);
    expect(await manager.cancel(id)).toEqual([id]);
    expect(await done).toMatchObject({ state: 'cancelled' });
  }
  expect([spawner.runs, manager.list(), ends, tasks.list(), tasks.drainNotifications()]).toEqual([[], [], [], [], []]);
  const { done } = manager.start(task, main);
  await later();
  spawner.runs[0]?.end();
  expect(await done).toMatchObject({ state: 'completed' });
});
