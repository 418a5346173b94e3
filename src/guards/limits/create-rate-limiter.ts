import { stateNumbers } from '../../core/numbers.js';
import { meansTool } from '../../core/tool-names.js';
import type { RateAnswer, RateLimiter, RateRequest } from '../../ports/rate-limiter.js';
import { KeyedMeters } from './keyed-meters.js';
import { checkCost, costsOf, limitsOf, type RateLimits } from './rate-limits.js';
import type { MakeMeter } from './rate-meter.js';
import { slidingWindow } from './sliding-window.js';
import { tokenBucket } from './token-bucket.js';

/** A limit for all tools of a session together, and further ones for single tools. */
export interface RateLimiterOptions extends RateLimits {
  /**
   * `sliding-window` (default): no window of `windowMs`, wherever it begins, holds more than `max`. `token-bucket`:
   * `max` at once, and then as many as trickle in again, `max` in `windowMs`; takes the same little memory for any
   * `max`.
   */
  readonly algorithm?: 'sliding-window' | 'token-bucket' | undefined;
  /**
   * Keys (sessions) that are counted at the same time; past it the one that has been idle longest begins anew. Default
   * a million.
   */
  readonly maxKeys?: number | undefined;
  /** Monotonic milliseconds, for tests. */
  readonly now?: (() => number) | undefined;
}

/** A limiter that answers at once. */
export interface MemoryRateLimiter extends RateLimiter {
  /** Throws a TypeError for a cost that is no number from 0 up. */
  take(request: RateRequest): RateAnswer;
}

const ownKeys = { algorithm: true, maxKeys: true, now: true } satisfies Record<
  Exclude<keyof RateLimiterOptions, keyof RateLimits>,
  true
>;

const algorithms: Readonly<Record<string, MakeMeter>> = {
  'sliding-window': slidingWindow,
  'token-bucket': tokenBucket,
};

/**
 * A limiter in memory, by key. Checking and taking are one step, and a refused call takes nothing. Throws a TypeError
 * for a `max` that is neither a whole number from 0 up nor Infinity, for an unknown option, and for others that make no
 * sense.
 */
export function createRateLimiter(options: RateLimiterOptions): MemoryRateLimiter {
  const limits = limitsOf('createRateLimiter', options, ownKeys);
  const { algorithm = 'sliding-window', maxKeys = stateNumbers.maxRateKeys, now = () => performance.now() } = options;
  if (typeof now !== 'function') throw new TypeError('createRateLimiter: now must be a function');
  const make = Object.hasOwn(algorithms, algorithm) ? algorithms[algorithm] : undefined;
  if (make === undefined)
    throw new TypeError(
      `createRateLimiter: algorithm must be sliding-window or token-bucket, not ${String(algorithm)}`,
    );
  if (!(Number.isSafeInteger(maxKeys) && maxKeys > 0))
    throw new TypeError(`createRateLimiter: maxKeys must be a whole number from 1 up, not ${String(maxKeys)}`);
  const meters = limits.map(({ tool, max, windowMs }) => ({
    tool,
    meter: new KeyedMeters(max, windowMs, maxKeys, make),
  }));
  const costOf = costsOf('createRateLimiter', options.costs);

  return {
    names: Object.keys({ ...options.perTool, ...options.costs }),
    take: ({ key, tool, cost = costOf(tool) }: RateRequest): RateAnswer => {
      checkCost('cost', cost);
      const at = now();
      const held = meters.flatMap((limit) =>
        limit.tool === undefined || meansTool(limit.tool, tool) ? limit.meter : [],
      );
      const retryAfterMs = Math.max(...held.map((meter) => meter.waitMs(key, cost, at)));
      if (retryAfterMs > 0) return { ok: false, retryAfterMs };
      return { ok: true, remaining: Math.min(...held.map((meter) => meter.take(key, cost, at))) };
    },
  };
}
