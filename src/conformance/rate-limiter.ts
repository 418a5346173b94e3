import { strict as assert } from 'node:assert';
import type { RateLimiter } from '../ports/rate-limiter.js';
import { conformanceKit, type Disposable, same } from './conformance-case.js';

/** A limiter that grants each key 5 calls in an hour. */
export interface RateLimiterSubject extends Disposable {
  readonly limiter: RateLimiter;
}

const granted = 5;

/** The requirements of the pipeline for a rate limiter. */
export const rateLimiterConformance = conformanceKit<RateLimiterSubject>({
  'it grants what there is, and counts down': async ({ limiter }, scope) => {
    for (let left = granted - 1; left >= 0; left--)
      same(await limiter.take({ key: 'a', tool: 'T' }, scope), { ok: true, remaining: left });
  },
  'past the limit it refuses, and says when there is more': async ({ limiter }, scope) => {
    for (let call = 0; call < granted; call++) await limiter.take({ key: 'a', tool: 'T' }, scope);
    const answer = await limiter.take({ key: 'a', tool: 'T' }, scope);
    assert.ok(!answer.ok && answer.retryAfterMs > 0 && answer.retryAfterMs <= 3_600_000);
  },
  'checking and taking are one step': async ({ limiter }, scope) => {
    const takes = Array.from({ length: 3 * granted }, async () => limiter.take({ key: 'a', tool: 'T' }, scope));
    assert.equal((await Promise.all(takes)).filter(({ ok }) => ok).length, granted);
  },
  'each key has its own': async ({ limiter }, scope) => {
    for (let call = 0; call < granted; call++) await limiter.take({ key: 'a', tool: 'T' }, scope);
    same(await limiter.take({ key: 'b', tool: 'T' }, scope), { ok: true, remaining: granted - 1 });
  },
  'a cost counts as so many calls, whole or not at all': async ({ limiter }, scope) => {
    assert.equal((await limiter.take({ key: 'a', tool: 'T', cost: granted - 1 }, scope)).ok, true);
    assert.equal((await limiter.take({ key: 'a', tool: 'T', cost: 2 }, scope)).ok, false);
    same(await limiter.take({ key: 'a', tool: 'T' }, scope), { ok: true, remaining: 0 });
  },
});
