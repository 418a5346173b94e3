import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRateLimiter } from '../../src/core.js';
import { eachRow } from '../support/each-row.js';
import { calls, run, tool } from '../support/pipeline.js';

function limiter(options: Parameters<typeof createRateLimiter>[0]) {
  let time = 0;
  const made = createRateLimiter({ ...options, now: () => time });
  return {
    take: (key = 'k', toolName = 'T', cost = 1) => made.take({ key, tool: toolName, cost }),
    pass: (ms: number) => {
      time += ms;
    },
  };
}

describe('a sliding window', () => {
  test('allows max calls, then returns when to retry', () => {
    const { take, pass } = limiter({ max: 2, windowMs: 100 });
    expect(take()).toEqual({ ok: true, remaining: 1 });
    pass(40);
    expect(take()).toEqual({ ok: true, remaining: 0 });
    expect(take()).toEqual({ ok: false, retryAfterMs: 60 });
    pass(60);
    expect(take()).toEqual({ ok: true, remaining: 0 });
    expect(take()).toEqual({ ok: false, retryAfterMs: 40 });
  });

  test('separates keys, and tools with their own limits', () => {
    const { take } = limiter({ max: 3, perTool: { Bash: { max: 1 } } });
    expect(take('a', 'Bash')).toMatchObject({ ok: true, remaining: 0 });
    expect(take('a', 'Bash')).toMatchObject({ ok: false });
    expect(take('b', 'Bash')).toMatchObject({ ok: true });
    expect(take('a', 'Read')).toMatchObject({ ok: true, remaining: 1 });
  });

  test('does not count refused calls', () => {
    const { take } = limiter({ max: 10, perTool: { Bash: { max: 0 } } });
    for (let index = 0; index < 20; index++) expect(take('k', 'Bash').ok).toBe(false);
    expect(take()).toEqual({ ok: true, remaining: 9 });
  });

  test('with max 0 allows no call, with Infinity every call', () => {
    expect(limiter({ max: 0 }).take()).toEqual({ ok: false, retryAfterMs: Number.POSITIVE_INFINITY });
    const free = limiter({ max: Number.POSITIVE_INFINITY });
    for (let index = 0; index < 100; index++) expect(free.take().ok).toBe(true);
  });

  test('never allows more than max calls in any window', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 50 }), { maxLength: 60 }), fc.integer({ min: 1, max: 5 }), (pauses, max) => {
        const { take, pass } = limiter({ max, windowMs: 100 });
        const granted: number[] = [];
        let time = 0;
        for (const pause of pauses) {
          time += pause;
          pass(pause);
          const answer = take();
          if (answer.ok) granted.push(time);
          else expect(answer.retryAfterMs).toBeGreaterThan(0);
        }
        for (const start of granted)
          expect(granted.filter((at) => at >= start && at < start + 100).length).toBeLessThanOrEqual(max);
      }),
    );
  });

  test('allows a call at the time that it returned', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ pause: fc.nat({ max: 40 }), cost: fc.integer({ min: 1, max: 3 }) }), { maxLength: 40 }),
        fc.integer({ min: 3, max: 9 }),
        (steps, max) => {
          const { take, pass } = limiter({ max, windowMs: 100 });
          for (const { pause, cost } of steps) {
            pass(pause);
            const answer = take('k', 'T', cost);
            if (answer.ok) continue;
            pass(answer.retryAfterMs);
            expect(take('k', 'T', cost)).toMatchObject({ ok: true });
          }
        },
      ),
    );
  });

  test('counts the cost of a tool, or the cost in the request', () => {
    const { take } = limiter({ max: 10, costs: { Agent: 4, Free: 0 } });
    const cost = (tool: string) =>
      createRateLimiter({ max: 10, costs: { Agent: 4 }, now: () => 0 }).take({ key: 'k', tool });
    expect(cost('Agent')).toMatchObject({ remaining: 6 });
    expect(cost('constructor')).toMatchObject({ remaining: 9 });
    expect(take('k', 'Any', 3)).toMatchObject({ remaining: 7 });
    expect(take('k', 'Any', 11)).toEqual({ ok: false, retryAfterMs: Number.POSITIVE_INFINITY });
    expect(take('k', 'Any', 8)).toMatchObject({ ok: false });
    expect(take('k', 'Any', 7)).toMatchObject({ remaining: 0 });
  });

  test('counts a call of a tool with its own limit in both limits or in neither', () => {
    const { take } = limiter({ max: 3, perTool: { Bash: { max: 2 } } });
    expect([take('k', 'Bash').ok, take('k', 'Bash').ok, take('k', 'Bash').ok]).toEqual([true, true, false]);
    expect([take('k', 'Read').ok, take('k', 'Read').ok]).toEqual([true, false]);
  });

  test('rejects negative costs', () =>
    eachRow([-1, Number.NaN, Number.POSITIVE_INFINITY, '1' as never], (cost) => {
      expect(() => limiter({ max: 5 }).take('k', 'T', cost)).toThrow('cost must be');
      expect(() => createRateLimiter({ max: 5, costs: { T: cost } })).toThrow('costs.T must be');
    }));

  test('keeps a maximum number of keys, and drops the least recently used one', () => {
    const { take, pass } = limiter({ max: 2, windowMs: 100, maxKeys: 3 });
    for (const key of ['a', 'b', 'c']) {
      expect(take(key).ok).toBe(true);
      pass(10);
    }
    for (const key of ['a', 'b', 'c', 'a']) take(key);
    expect(take('d')).toMatchObject({ ok: true, remaining: 1 });
    expect(['b', 'c'].map((key) => take(key).ok)).toEqual([false, false]);
    expect(take('a')).toMatchObject({ ok: true, remaining: 1 });
  });

  test('uses the common window for a limit of a tool without a window', () => {
    const { take, pass } = limiter({
      max: 9,
      windowMs: 100,
      perTool: { T: { max: 1 }, Slow: { max: 1, windowMs: 1_000 } },
    });
    for (const name of ['T', 'Slow']) expect([take('k', name).ok, take('k', name).ok]).toEqual([true, false]);
    pass(100);
    expect([take('k', 'T').ok, take('k', 'Slow').ok]).toEqual([true, false]);
  });

  test('treats a clock that moves backwards as stopped', () => {
    let time = 1_000;
    const { take } = createRateLimiter({ max: 1, windowMs: 100, now: () => time });
    expect(take({ key: 'k', tool: 'T' }).ok).toBe(true);
    time = 0;
    expect(take({ key: 'k', tool: 'T' }).ok).toBe(false);
    time = 1_100;
    expect(take({ key: 'k', tool: 'T' }).ok).toBe(true);
  });

  test('is exact for 1,000 calls at once in 50 sessions', async () => {
    let ran = 0;
    const act = tool('Act', async () => {
      ran += 1;
      await new Promise((resolve) => setImmediate(resolve));
      return 'done';
    });
    const rateLimiter = createRateLimiter({ max: 7 });
    const turns = await Promise.all(
      Array.from({ length: 50 }, (_, session) =>
        run([act], calls(...Array(20).fill('Act')), {
          rateLimiter,
          caller: { sessionId: `session ${session}` },
        }),
      ),
    );
    for (const { results } of turns) {
      expect(results.filter(({ ok }) => ok)).toHaveLength(7);
      expect(results.flatMap((result) => (result.ok ? [] : [result.error.code]))).toEqual(
        Array.from({ length: 13 }, () => 'rate_limited'),
      );
    }
    expect(ran).toBe(350);
  });
});

const mistakes: readonly (readonly [message: string, options: unknown])[] = [
  ...[-1, 1.5, Number.NaN, '5'].map((max) => ['max takes a whole number', { max }] as const),
  ['pass max', {}],
  ['algorithm is no option', { max: 1, algorithm: 'leaky' }],
  ['maxKeys', { max: 1, maxKeys: 0 }],
  ['windowMs', { max: 1, windowMs: 0 }],
  ['windowMs', { max: 1, windowMs: Number.POSITIVE_INFINITY }],
  ['perTool.Bash: max', { max: 1, perTool: { Bash: { max: 0.5 } } }],
  ...[undefined, null, 5].map((options) => ['createRateLimiter', options] as const),
  ['windowms', { max: 1, windowms: 5 }],
  ['pertool', { max: 1, pertool: {} }],
  ['window', { max: 1, perTool: { Bash: { max: 1, window: 5 } } }],
  ['Bash', { max: 1, perTool: { Bash: 5 } }],
  ['perTool', { max: 1, perTool: ['Bash'] }],
  ['perTool', { max: 1, perTool: null }],
  ['costs', { max: 1, costs: 5 }],
  ['now', { max: 1, now: 5 }],
];
test('rejects invalid options', () =>
  eachRow(mistakes, ([message, options]) => {
    expect(() => createRateLimiter(options as never)).toThrow(message);
    expect(() => createRateLimiter(options as never)).toThrow(/^createRateLimiter/);
  }));

describe('in the pipeline', () => {
  const act = tool('Act', () => 'done');

  test('exactly max calls of a batch run, in order', async () => {
    const { results } = await run([act], calls(...Array(20).fill('Act')), {
      rateLimiter: createRateLimiter({ max: 5 }),
    });
    expect(results.map(({ ok }) => ok)).toEqual(Array.from({ length: 20 }, (_, index) => index < 5));
    expect(results[5]).toMatchObject({ error: { code: 'rate_limited', retryAfterMs: expect.any(Number) } });
    expect(results[5]?.output).toMatch(/^Error: tool rate limit exceeded for Act. Try again in \d+ s\.$/);
  });

  test('a call that is refused earlier is not counted', async () => {
    const rateLimiter = createRateLimiter({ max: 1 });
    await run([act], calls('Nope', ['Act', []]), { rateLimiter });
    expect((await run([act], calls('Act'), { rateLimiter })).results).toMatchObject([{ ok: true }]);
  });

  const failing = [
    [
      'throws',
      () => {
        throw new Error('store down');
      },
    ],
    ['rejects', () => Promise.reject(new Error('store down'))],
    ['answers nonsense', () => 'yes' as never],
  ] as const;
  test('a failing limiter refuses the call', () =>
    eachRow(failing, async ([, take]) => {
      const { results } = await run([act], calls('Act'), { rateLimiter: { take } });
      expect(results).toMatchObject([{ ok: false, error: { code: 'rate_limited' } }]);
    }));
});
