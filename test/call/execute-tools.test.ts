import { fakeTimers } from 'toolwright/testing';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/v4';
import { executeTools, Tool, ToolError, ToolRegistry } from '../../src/core.js';
import { table } from '../support/each-row.js';
import { calls, deferred, never, run, tool } from '../support/pipeline.js';

const echo = Tool.define('Echo', {
  description: 'Repeat a text.',
  input: z.object({ text: z.string() }),
  sideEffect: 'none',
  execute: async ({ text }) => text,
});

const fail = () => {
  throw new Error('no');
};
const hostile = new Proxy({}, { get: fail, has: fail });
const undescribed = 'The tool failed with a value that cannot be described.';

describe('there is one result for each call, in the order of the calls', () => {
  test('a call of a known tool returns its output', async () => {
    const { results, interrupted } = await run([echo], calls(['Echo', { text: 'hi' }]));
    expect(results).toMatchObject([{ ok: true, callId: 'call_0', name: 'Echo', output: 'hi' }]);
    expect(interrupted).toBe(false);
  });

  test('results of slow and fast calls keep the order of the calls', async () => {
    const gate = deferred<string>();
    const slow = tool('Slow', () => gate.promise);
    const fast = tool('Fast', () => {
      gate.resolve('slow');
      return 'fast';
    });
    const { results } = await run([slow, fast], calls('Slow', 'Fast'));
    expect(results.map(({ output }) => output)).toEqual(['slow', 'fast']);
  });

  table([
    ['an error', () => Promise.reject(new Error('boom')), 'execution_failed', 'Error: boom'],
    ['a string', () => Promise.reject('boom'), 'execution_failed', 'Error: boom'],
    ['nothing', () => Promise.reject(undefined), 'execution_failed', 'Error: The tool failed without a message.'],
    [
      'an error without a message',
      () => Promise.reject(new Error('')),
      'execution_failed',
      'Error: The tool failed without a message.',
    ],
    ['null', () => Promise.reject(null), 'execution_failed', 'Error: The tool failed without a message.'],
    ['before its first await', fail, 'execution_failed', 'Error: no'],
    ['a hostile object', () => Promise.reject(hostile), 'execution_failed', `Error: ${undescribed}`],
    [
      'a coded error',
      () => Promise.reject(new ToolError('file_not_found', 'None: /a')),
      'file_not_found',
      'Error: None: /a',
    ],
    ['a message that says Error itself', () => Promise.reject(new Error('Error: a')), 'execution_failed', 'Error: a'],
    ['its own AbortError', () => Promise.reject(new DOMException('a', 'AbortError')), 'execution_failed', 'Error: a'],
  ] as const)('any value that a tool throws becomes a failed result', async (_, execute, code, output) => {
    const { results } = await run([tool('Bad', execute as never), echo], calls('Bad', ['Echo', { text: 'after' }]));
    expect(results).toMatchObject([
      { ok: false, output, error: { code } },
      { ok: true, output: 'after' },
    ]);
  });

  table([undefined, null, 7, [['list']], { output: 7 }, {}])(
    'a tool that returns anything but text fails with an error that says what to return',
    async (value) => {
      const { results } = await run([tool('Odd', (async () => value) as never)], calls('Odd'));
      expect(results).toMatchObject([{ ok: false, error: { code: 'execution_failed' } }]);
      expect(results[0]?.output).toContain('Return text, or { output');
    },
  );

  const unreadable = Object.defineProperty({}, 'id', { get: fail });

  table<[string, () => unknown]>([
    ...[null, undefined, 7, 'call', {}, { id: 7, name: null }, { id: '', name: 'Count' }, { id: 'a', name: '' }].map(
      (call): [string, () => unknown] => [JSON.stringify(call) ?? 'undefined', () => call],
    ),
    ['a call that throws when it is read', () => unreadable],
    [
      'an item of the Responses API',
      () => ({ type: 'function_call', id: 'f', call_id: 'c', name: 'Count', arguments: '' }),
    ],
  ])('unconverted provider messages throw a TypeError, and no call runs', async (_, make) => {
    const call = make();
    let ran = 0;
    const count = tool('Count', () => String(++ran));
    await expect(run([count], [...calls('Count'), call as never])).rejects.toThrow(TypeError);
    expect(ran).toBe(0);
  });

  test('changes of the list or its calls during the run have no effect', async () => {
    const turn = calls(['Echo', { text: 'a' }], ['Echo', { text: 'b' }]);
    const running = run([echo], turn);
    Object.assign(turn[1] as object, { id: 'other', name: 'None', input: {} });
    turn.length = 1;
    turn.push({ id: 'late', name: 'Echo', input: {} });
    expect((await running).results.map(({ callId, output }) => [callId, output])).toEqual([
      ['call_0', 'a'],
      ['call_1', 'b'],
    ]);
  });
});

describe('tool lookup', () => {
  test('the error for an unknown name suggests similar names', async () => {
    const { results } = await run([echo], calls(['Ecko', {}]));
    expect(results).toMatchObject([
      { ok: false, output: 'Error: unknown tool: Ecko. Did you mean "Echo"?', error: { code: 'unknown_tool' } },
    ]);
  });

  table(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'names of Object.prototype are unknown tools',
    async (name) => {
      const { results } = await run([echo], calls(name));
      expect(results).toMatchObject([{ ok: false, error: { code: 'unknown_tool' } }]);
    },
  );

  test('a tool is found by alias and in any letter case', async () => {
    const registry = new ToolRegistry({ aliases: { say: 'Echo' } }).register(echo);
    const { results } = await run([], calls(['echo', { text: 'a' }], ['say', { text: 'b' }]), { registry });
    expect(results).toMatchObject([
      { name: 'Echo', output: 'a' },
      { name: 'Echo', output: 'b' },
    ]);
  });

  test('a resolver is asked once in a turn, and its tool is registered and runs', async () => {
    let asked = 0;
    const registry = new ToolRegistry();
    const toolResolver = async (name: string) => {
      asked += 1;
      return name === 'Echo' ? echo : undefined;
    };
    const turn = calls(['Echo', { text: 'a' }], ['Echo', { text: 'b' }], 'Nope');
    const { results } = await run([], turn, { registry, toolResolver });
    expect(results).toMatchObject([{ output: 'a' }, { output: 'b' }, { error: { code: 'unknown_tool' } }]);
    expect(asked).toBe(2);
    expect(registry.get('Echo')).toBe(echo);
  });

  table([
    ['throws', fail, 'no'],
    ['never answers', () => never, 'did not answer'],
    ['brings no tool', () => ({ name: 'x' }) as never, 'Tool.define'],
  ])('a failing resolver gives unknown_tool with the reason', async (_, toolResolver, reason) => {
    const timers = fakeTimers();
    const pending = run([], calls('Far'), { toolResolver, timers });
    await timers.advance(60_000);
    const { results } = await pending;
    expect(results).toMatchObject([{ ok: false, error: { code: 'unknown_tool' } }]);
    expect(results[0]?.output).toContain(reason);
  });
});

describe('deadlines', () => {
  test('a tool that reacts to its signal has a grace period, and its late output is kept', async () => {
    const timers = fakeTimers();
    const stopped = new ToolError('interrupted', 'stopped', { partialOutput: 'half done' });
    const listening = (_: unknown, { signal }: { readonly signal: AbortSignal }) =>
      new Promise<string>((_resolve, reject) => signal.addEventListener('abort', () => reject(stopped)));
    const polite = tool('Polite', listening, { timeoutMs: 100 });
    const pending = run([polite], calls('Polite'), { timers });
    await timers.advance(100);
    const { results } = await pending;
    expect(results).toMatchObject([{ ok: false, error: { code: 'timeout', partialOutput: 'half done' } }]);
    expect(results[0]?.output).toMatch(/half done$/);
  });

  test('a tool that ignores its signal is abandoned after the grace period', async () => {
    const timers = fakeTimers();
    const deaf = tool('Deaf', (_input, { signal }) => (signal.aborted ? 'x' : never), { timeoutMs: 100 });
    let isDone = false;
    const pending = run([deaf], calls('Deaf'), { timers, limits: { call: { abortGraceMs: 1_000 } } }).finally(() => {
      isDone = true;
    });
    await timers.advance(1_099);
    expect(isDone).toBe(false);
    await timers.advance(1);
    expect((await pending).results).toMatchObject([{ error: { code: 'timeout' } }]);
  });

  test('apply to each call separately', async () => {
    const timers = fakeTimers();
    const hang = tool('Hang', () => never, { timeoutMs: 100 });
    const slow = tool('Slow', () => new Promise<string>((resolve) => timers.set(() => resolve('done'), 500)), {
      timeoutMs: 1_000,
    });
    const pending = run([hang, slow], calls('Hang', 'Slow', 'Hang'), { timers });
    await timers.advance(1_000);
    expect((await pending).results).toMatchObject([
      { error: { code: 'timeout' } },
      { ok: true, output: 'done' },
      { error: { code: 'timeout' } },
    ]);
    expect(timers.pending).toBe(0);
  });
});

describe('abort', () => {
  test('before the run prevents all calls', async () => {
    let started = 0;
    const act = tool('Act', () => `${++started}`);
    const { results, interrupted, events } = await run([act], calls('Act', 'Act'), { signal: AbortSignal.abort() });
    expect(results.map(({ output }) => output)).toEqual(['Error: operation cancelled', 'Error: operation cancelled']);
    expect(results).toMatchObject([{ error: { code: 'cancelled' } }, { error: { code: 'cancelled' } }]);
    expect([started, interrupted]).toEqual([0, true]);
    expect(events.some(({ type }) => type === 'tool-start')).toBe(false);
  });

  test('during the run interrupts the running call and cancels the others', async () => {
    const stop = new AbortController();
    const act = tool(
      'Act',
      () => {
        stop.abort();
        return never;
      },
      { sideEffect: 'mutating' },
    );
    const { results, events } = await run([act, echo], calls('Act', ['Echo', { text: 'x' }]), { signal: stop.signal });
    expect(results).toMatchObject([{ error: { code: 'interrupted' } }, { error: { code: 'cancelled' } }]);
    expect(events.filter(({ type }) => type === 'tool-start')).toHaveLength(1);
    expect(events.filter(({ type }) => type === 'tool-end')).toHaveLength(1);
  });
});

describe('events', () => {
  test('a started call has one start and one end event, also if it fails', async () => {
    const { events } = await run([tool('Bad', fail)], calls('Bad'));
    expect(events.map(({ type }) => type)).toEqual(['tool-start', 'tool-end', 'tool-result']);
    expect(events[1]).toMatchObject({ ok: false, code: 'execution_failed' });
  });

  test('a refused call has neither, but a refusal event', async () => {
    const { events, results } = await run([echo], calls('Nope'));
    expect(events).toEqual([
      { type: 'tool-refused', callId: 'call_0', name: 'Nope', code: 'unknown_tool' },
      { type: 'tool-result', callId: 'call_0', name: 'Nope', result: JSON.parse(JSON.stringify(results[0])) },
    ]);
    const error = { code: 'unknown_tool', message: expect.stringContaining('unknown tool: Nope'), retryable: false };
    expect(structuredClone(events[1])).toMatchObject({ result: { ok: false, error } });
  });

  test('tool-result is sent when its call settles, while other calls continue', async () => {
    const told = deferred();
    const slow = tool('Slow', () => told.promise.then(() => 'slow'));
    const seen: unknown[] = [];
    const { results } = await run([slow, echo], calls('Slow', ['Echo', { text: 'x' }]), {
      onEvent: (event) => {
        if (event.type !== 'tool-result') return;
        seen.push(event.result);
        told.resolve();
      },
    });
    expect(seen).toEqual([results[1], results[0]]);
  });

  test('a listener gets the result before the turn limit cuts it, and cannot change it', async () => {
    const long = tool('Long', () => 'x'.repeat(5_000));
    const told: string[] = [];
    const { results } = await run([long], calls('Long', 'Long'), {
      limits: { output: { maxTurnChars: 6_000 } },
      onEvent: (event) => {
        if (event.type !== 'tool-result') return;
        told.push(event.result.output);
        Object.assign(event.result, { output: 'mine' });
      },
    });
    expect(told).toEqual(['x'.repeat(5_000), 'x'.repeat(5_000)]);
    expect(results.map(({ output }) => output.slice(0, 1))).toEqual(['x', 'x']);
    expect(results[1]?.output.length).toBeLessThan(5_000);
  });

  test('progress is sent only while the call runs', async () => {
    let after: () => void = () => {};
    const busy = tool('Busy', (_input, context) => {
      context.metadata({ title: 'half', metadata: { done: 1 } });
      after = () => context.metadata({ title: 'late' });
      return 'done';
    });
    const { events } = await run([busy], calls('Busy'));
    after();
    expect(events.filter(({ type }) => type === 'tool-progress')).toEqual([
      { type: 'tool-progress', callId: 'call_0', name: 'Busy', title: 'half', metadata: { done: 1 } },
    ]);
  });

  table([
    ['throws', fail],
    ['rejects', async () => fail()],
  ])('a failing listener has no effect', async (_, onEvent) => {
    const { results } = await run([echo], calls(['Echo', { text: 'x' }]), { onEvent });
    expect(results).toMatchObject([{ ok: true, output: 'x' }]);
  });

  test('events are plain JSON for any value of a tool', async () => {
    const loop: Record<string, unknown> = { big: 10n, date: new Date(0), map: new Map([['a', 1]]), fn: () => 1 };
    loop.self = loop;
    const { results, events } = await run([tool('Odd', () => ({ output: 'x', metadata: loop }))], calls('Odd'));
    expect(JSON.parse(JSON.stringify(events))).toEqual(events);
    expect(results[0]?.metadata).toEqual({
      big: '10',
      date: '1970-01-01T00:00:00.000Z',
      map: { a: 1 },
      self: '[circular]',
    });
  });
});

describe('the caller', () => {
  test('is passed unchanged to tools, permissions, hooks and limiter, and one tool serves several callers at once', async () => {
    const seen: (readonly [string, unknown])[] = [];
    const gate = deferred();
    const note = <Answer>(where: string, { caller }: { readonly caller: unknown }, answer: Answer): Answer => {
      seen.push([where, caller]);
      return answer;
    };
    const slow = tool('Slow', async (_input, context) => {
      await gate.promise;
      return note('tool', context, context.caller.sessionId);
    });
    const callers = ['a', 'b', 'c'].map((sessionId) => ({ sessionId, agentId: 'main', chat: { id: sessionId } }));
    const turns = callers.map((caller) =>
      run([slow], calls('Slow'), {
        caller,
        permissions: { check: async (_request, scope) => note('permissions', scope, { behavior: 'allow' } as const) },
        hooks: { PreToolUse: [{ hooks: [(_event, scope) => note('hook', scope, undefined)] }] },
        rateLimiter: { take: (_request, scope) => note('limiter', scope, { ok: true, remaining: 1 } as const) },
      }),
    );
    gate.resolve();
    expect((await Promise.all(turns)).map(({ results }) => results[0]?.output)).toEqual(['a', 'b', 'c']);
    for (const caller of callers) {
      const heard = seen.flatMap(([where, who]) => (who === caller ? [where] : []));
      expect(heard).toEqual(['permissions', 'hook', 'limiter', 'tool']);
    }
  });
});

describe('options', () => {
  test('an unknown option is rejected with similar names', async () => {
    const options = { registry: new ToolRegistry(), permision: 'default' };
    await expect(executeTools([], options as never)).rejects.toThrow('Did you mean "permissions"?');
  });

  table([
    [{ permissions: 'allow' }, 'Permission mode'],
    [{ permissions: {} }, 'check(request, scope)'],
    [{ concurrency: 0 }, 'concurrency'],
    [{ limits: { call: { timeoutMs: -1 } } }, 'limits.call.timeoutMs'],
    [{ limits: { cal: {} } }, 'Did you mean "call"?'],
    [{ hooks: { PreToolUse: [{ matcher: '(', hooks: [] }] } }, 'matcher'],
  ])('an invalid value is rejected', async (options, message) => {
    await expect(executeTools([], { registry: new ToolRegistry(), ...options } as never)).rejects.toThrow(message);
  });

  test('without permissions only tools without effects and allowed tools run', async () => {
    const registry = new ToolRegistry().register(
      echo,
      tool('Look', () => 'looked', { sideEffect: 'readonly' }),
      tool('mcp__notes__say', () => 'said'),
    );
    const turn = calls(['Echo', { text: 'x' }], 'Look', 'mcp__notes__say');
    const { results } = await executeTools(turn, { registry });
    expect(results.map(({ ok }) => ok)).toEqual([true, false, false]);
    expect(results[1]?.output).toContain('createPermissions({ allow: ["Look"] })');
    registry.allow('Look');
    expect((await executeTools(turn, { registry })).results[1]).toMatchObject({ ok: true });
  });

  test('changes of the registry during a turn do not affect the turn', async () => {
    const registry = new ToolRegistry().register(echo);
    const meddle = tool(
      'Meddle',
      () => {
        registry.unregister('Echo');
        registry.register(tool('New', () => 'new'));
        return 'done';
      },
      { sideEffect: 'mutating' },
    );
    registry.register(meddle);
    const { results } = await run([], calls('Meddle', ['Echo', { text: 'still' }]), { registry });
    expect(results).toMatchObject([{ output: 'done' }, { ok: true, output: 'still' }]);
    expect(registry.names()).toEqual(['Meddle', 'New']);
  });
});
