import { stateNumbers } from '../../core/fixed-limits.js';
import { kindOf } from '../../core/support/check-values.js';
import { meansTool } from '../../core/tool-names.js';
import type { RateAnswer, RateLimiter, RateRequest } from '../../ports/rate-limiter.js';
import { checkCost, costsOf, limitsOf, type RateLimits } from './rate-limits.js';
import { slidingWindow } from './sliding-window.js';

/** A limit for all tools of a session together, and further limits for single tools. */
export interface RateLimiterOptions extends RateLimits {
  /** How many keys (sessions) are counted; another replaces the one that is idle longest. Default a million. */
  readonly maxKeys?: number | undefined;
  /** The clock, in monotonic milliseconds, for tests. Default `performance.now`. */
  readonly now?: (() => number) | undefined;
}

/** A limiter that answers synchronously. */
export interface MemoryRateLimiter extends RateLimiter {
  /** Throws a TypeError for a cost that is not a number from 0 up. */
  take(request: RateRequest): RateAnswer;
}

/**
 * A rate limiter in memory with a sliding window: the calls of a key within any `windowMs` cost at most `max`. Checking
 * and counting are one step, and a refused call costs nothing. Throws a TypeError for an unknown option, and for a
 * `max` that is neither a whole number from 0 up nor Infinity.
 */
export function createRateLimiter(options: RateLimiterOptions): MemoryRateLimiter {
  if (options === undefined) throw new TypeError('createRateLimiter: pass options, such as { max: 100 }');
  const limits = limitsOf('createRateLimiter', options, { maxKeys: kindOf.count, now: kindOf.callback });
  const { maxKeys = stateNumbers.maxRateKeys, now = () => performance.now() } = options;
  const windows = limits
    .filter(({ max }) => max !== Number.POSITIVE_INFINITY)
    .map(({ tool, max, windowMs }) => ({ tool, window: slidingWindow(max, windowMs, maxKeys) }));
  const costOf = costsOf('createRateLimiter', options.costs);

  return {
    names: Object.keys({ ...options.perTool, ...options.costs }),
    take: ({ key, tool, cost = costOf(tool) }: RateRequest): RateAnswer => {
      checkCost('cost', cost);
      const at = now();
      const applied = windows.flatMap((limit) =>
        limit.tool === undefined || meansTool(limit.tool, tool) ? limit.window : [],
      );
      const retryAfterMs = Math.max(0, ...applied.map((window) => window.waitMs(key, cost, at)));
      if (retryAfterMs > 0) return { ok: false, retryAfterMs };
      return { ok: true, remaining: Math.min(...applied.map((window) => window.take(key, cost, at))) };
    },
  };
}
