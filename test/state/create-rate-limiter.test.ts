import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRateLimiter } from '../../src/core.js';
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
  test('grants up to max, then says when to come back', () => {
    const { take, pass } = limiter({ max: 2, windowMs: 100 });
    expect(take()).toEqual({ ok: true, remaining: 1 });
    pass(40);
    expect(take()).toEqual({ ok: true, remaining: 0 });
    expect(take()).toEqual({ ok: false, retryAfterMs: 60 });
    pass(60);
    expect(take()).toEqual({ ok: true, remaining: 0 });
    expect(take()).toEqual({ ok: false, retryAfterMs: 40 });
  });

  test('keeps keys apart and tools under limits of their own', () => {
    const { take } = limiter({ max: 3, perTool: { Bash: { max: 1 } } });
    expect(take('a', 'Bash')).toMatchObject({ ok: true, remaining: 0 });
    expect(take('a', 'Bash')).toMatchObject({ ok: false });
    expect(take('b', 'Bash')).toMatchObject({ ok: true });
    expect(take('a', 'Read')).toMatchObject({ ok: true, remaining: 1 });
  });

  test('a refused call takes nothing', () => {
    const { take } = limiter({ max: 10, perTool: { Bash: { max: 0 } } });
    for (let index = 0; index < 20; index++) expect(take('k', 'Bash').ok).toBe(false);
    expect(take()).toEqual({ ok: true, remaining: 9 });
  });

  test('max 0 lets nothing run, Infinity everything', () => {
    expect(limiter({ max: 0 }).take()).toEqual({ ok: false, retryAfterMs: Number.POSITIVE_INFINITY });
    const free = limiter({ max: Number.POSITIVE_INFINITY });
    for (let index = 0; index < 100; index++) expect(free.take().ok).toBe(true);
  });

  test.each([-1, 1.5, Number.NaN, '5', undefined])('max %s is refused', (max) => {
    expect(() => createRateLimiter({ max: max as number })).toThrow('max must be a whole number');
  });

  test('no window of any position ever holds more than max', () => {
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
        for (const start of granted) expect(granted.filter((at) => at >= start && at < start + 100).length).toBeLessThanOrEqual(max);
      }),
    );
  });
});

describe('in the pipeline', () => {
  const act = tool('Act', () => 'done');

  test('exactly max calls of a batch run, in order', async () => {
    const { results } = await run([act], calls(...Array.from({ length: 20 }, () => 'Act')), { rateLimiter: createRateLimiter({ max: 5 }) });
    expect(results.map(({ ok }) => ok)).toEqual(Array.from({ length: 20 }, (_, index) => index < 5));
    expect(results[5]).toMatchObject({ error: { code: 'rate_limited', retryAfterMs: expect.any(Number) } });
    expect(results[5]?.output).toMatch(/^Error: tool rate limit exceeded for Act. Try again in \d+ s\.$/);
  });

  test('a call that is refused before it takes nothing', async () => {
    const rateLimiter = createRateLimiter({ max: 1 });
    await run([act], calls('Nope', ['Act', []]), { rateLimiter });
    expect((await run([act], calls('Act'), { rateLimiter })).results).toMatchObject([{ ok: true }]);
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('store down');
      },
    ],
    ['rejects', () => Promise.reject(new Error('store down'))],
    ['answers nonsense', () => 'yes' as never],
  ])('a limiter that %s refuses', async (_, take) => {
    const { results } = await run([act], calls('Act'), { rateLimiter: { take } });
    expect(results).toMatchObject([{ ok: false, error: { code: 'rate_limited' } }]);
  });
});
