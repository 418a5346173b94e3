import { RateLimiterMemory, RateLimiterQueue } from 'rate-limiter-flexible';
import { describe, expect, test } from 'vitest';
import { fromRateLimiterFlexible } from '../../src/guards.js';
import { callScope } from '../support/call-scope.js';
import { eachRow } from '../support/each-row.js';
import { calls, run, tool } from '../support/pipeline.js';

const request = { key: 'k', tool: 'T' };

describe('a limiter of rate-limiter-flexible', () => {
  test('allows its points, then returns when to retry', async () => {
    const limiter = fromRateLimiterFlexible(new RateLimiterMemory({ points: 2, duration: 60 }));
    expect(await limiter.take(request, callScope())).toEqual({ ok: true, remaining: 1 });
    expect(await limiter.take(request, callScope())).toEqual({ ok: true, remaining: 0 });
    const refused = await limiter.take(request, callScope());
    expect(refused).toEqual({ ok: false, retryAfterMs: expect.any(Number) });
    expect(refused).toSatisfy(({ retryAfterMs }) => retryAfterMs > 0 && retryAfterMs <= 60_000);
    expect(await limiter.take({ ...request, key: 'other' }, callScope())).toMatchObject({ ok: true });
  });

  test('returns Infinity if its points never come back', async () => {
    const limiter = fromRateLimiterFlexible(new RateLimiterMemory({ points: 1, duration: 0 }));
    await limiter.take(request, callScope());
    expect(await limiter.take(request, callScope())).toEqual({ ok: false, retryAfterMs: Number.POSITIVE_INFINITY });
  });

  test('counts the cost of a tool', async () => {
    const limiter = fromRateLimiterFlexible(new RateLimiterMemory({ points: 10, duration: 60 }), {
      costs: { Agent: 4 },
    });
    expect(await limiter.take({ key: 'k', tool: 'Agent' }, callScope())).toMatchObject({ remaining: 6 });
    expect(await limiter.take({ key: 'k', tool: 'Read' }, callScope())).toMatchObject({ remaining: 5 });
    expect(await limiter.take({ key: 'k', tool: 'Agent', cost: 2 }, callScope())).toMatchObject({ remaining: 3 });
    await expect(limiter.take({ key: 'k', tool: 'Agent', cost: -2 }, callScope())).rejects.toThrow('cost');
    expect(() =>
      fromRateLimiterFlexible(new RateLimiterMemory({ points: 1, duration: 1 }), { costs: { Agent: -1 } }),
    ).toThrow('costs.Agent');
  });

  test('is exact for 1,000 calls at once in 50 sessions', async () => {
    const rateLimiter = fromRateLimiterFlexible(new RateLimiterMemory({ points: 7, duration: 3_600 }));
    const act = tool('Act', () => 'done');
    const turns = await Promise.all(
      Array.from({ length: 50 }, (_, session) =>
        run([act], calls(...Array.from({ length: 20 }, () => 'Act')), {
          rateLimiter,
          caller: { sessionId: `session ${session}` },
        }),
      ),
    );
    for (const { results } of turns)
      expect(results.map(({ ok }) => ok)).toEqual(Array.from({ length: 20 }, (_, index) => index < 7));
  });
});

const thrown = [
  ['an error', new Error('connection refused')],
  ['an error with a wait', Object.assign(new Error('timeout'), { msBeforeNext: 5 })],
  ['nothing', undefined],
  ['a text', 'down'],
  ['an object', {}],
] as const;
test('a store that rejects refuses the call with a failure, not with rate_limited', () =>
  eachRow(thrown, async ([, thrown]) => {
    const rateLimiter = fromRateLimiterFlexible({ consume: () => Promise.reject(thrown) });
    const { results } = await run([tool('Act', () => 'done')], calls('Act'), { rateLimiter });
    expect(results).toMatchObject([
      { error: { code: 'rate_limited', message: expect.stringContaining('The rate limiter failed') } },
    ]);
  }));

test('an object without consume is rejected', () => {
  expect(() => fromRateLimiterFlexible(undefined as never)).toThrow('rate-limiter-flexible');
  expect(() =>
    fromRateLimiterFlexible(new RateLimiterQueue(new RateLimiterMemory({ points: 1, duration: 1 })) as never),
  ).toThrow('pass a limiter');
});

const mistakes: readonly [unknown, string][] = [
  [{ cost: {} }, 'fromRateLimiterFlexible: cost is no option. Did you mean "costs"?'],
  [{ costs: 5 }, 'fromRateLimiterFlexible: costs takes an object'],
  [null, 'fromRateLimiterFlexible takes an object, not null'],
];
test('invalid options are rejected by name', () =>
  eachRow(mistakes, ([options, message]) => {
    const limiter = new RateLimiterMemory({ points: 1, duration: 1 });
    expect(() => fromRateLimiterFlexible(limiter, options as never)).toThrow(message);
  }));
