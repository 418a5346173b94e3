import { strict as assert } from 'node:assert';
import type { RateLimiter } from '../ports/rate-limiter.js';
import { conformanceKit, type Disposable, same } from './kit.js';

/** A limiter that grants each key 5 calls in an hour. */
export interface RateLimiterSubject extends Disposable {
  readonly limiter: RateLimiter;
}

const maxCalls = 5;

/** The requirements of the pipeline for a rate limiter. */
export const rateLimiterConformance = conformanceKit<RateLimiterSubject>({
  'calls within the limit are granted, with the remaining number': async ({ limiter }, scope) => {
    for (let left = maxCalls - 1; left >= 0; left--)
      same(await limiter.take({ key: 'a', tool: 'T' }, scope), { ok: true, remaining: left });
  },
  'calls beyond the limit are refused, with the time to wait': async ({ limiter }, scope) => {
    for (let call = 0; call < maxCalls; call++) await limiter.take({ key: 'a', tool: 'T' }, scope);
    const answer = await limiter.take({ key: 'a', tool: 'T' }, scope);
    assert.ok(!answer.ok && answer.retryAfterMs > 0 && answer.retryAfterMs <= 3_600_000);
  },
  'checking and counting are one atomic step': async ({ limiter }, scope) => {
    const takes = Array.from({ length: 3 * maxCalls }, async () => limiter.take({ key: 'a', tool: 'T' }, scope));
    assert.equal((await Promise.all(takes)).filter(({ ok }) => ok).length, maxCalls);
  },
  'each key has its own limit': async ({ limiter }, scope) => {
    for (let call = 0; call < maxCalls; call++) await limiter.take({ key: 'a', tool: 'T' }, scope);
    same(await limiter.take({ key: 'b', tool: 'T' }, scope), { ok: true, remaining: maxCalls - 1 });
  },
  'a call with a cost counts as that many calls, and is granted in full or not at all': async ({ limiter }, scope) => {
    assert.equal((await limiter.take({ key: 'a', tool: 'T', cost: maxCalls - 1 }, scope)).ok, true);
    assert.equal((await limiter.take({ key: 'a', tool: 'T', cost: 2 }, scope)).ok, false);
    same(await limiter.take({ key: 'a', tool: 'T' }, scope), { ok: true, remaining: 0 });
  },
});
