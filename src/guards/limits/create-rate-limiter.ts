import { stateNumbers } from '../../core/fixed-limits.js';
import { kindOf } from '../../core/support/check-values.js';
import { LatestMap } from '../../core/support/latest-map.js';
import { meansTool } from '../../core/tool-names.js';
import type { RateAnswer, RateLimiter, RateRequest } from '../../ports/rate-limiter.js';
import { checkCost, costsOf, limitsOf, type RateLimits } from './rate-options.js';

/** A limit for all tools of a session together, and further limits for single tools. */
export interface RateLimiterOptions extends RateLimits {
  /** Maximum number of keys (sessions); a further key replaces the key that is idle longest. Default a million. */
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

interface Usage {
  /** Granted costs in the order of time; those before `first` have expired. */
  taken: { readonly at: number; readonly cost: number }[];
  first: number;
  sum: number;
}

/**
 * Limits the sum of the costs of each key to `max` within any `windowMs`. Counts at most `maxKeys` keys; a further key
 * replaces the key that has been idle longest, so no key is refused because of others. Times are monotonic
 * milliseconds.
 */
function slidingWindow(max: number, windowMs: number, maxKeys: number) {
  const usages = new LatestMap<string, Usage>(maxKeys);

  /** Milliseconds until the cost can be granted: 0 for now, Infinity for never. Grants nothing. */
  function waitMs(key: string, cost: number, now: number): number {
    if (cost > max) return Number.POSITIVE_INFINITY;
    forgetIdleKeys(now);
    const usage = usages.get(key);
    if (usage === undefined) return 0;
    expire(usage, now);
    let excess = usage.sum + cost - max;
    if (excess <= 0) return 0;
    for (const { at, cost: freed } of usage.taken.slice(usage.first)) {
      excess -= freed;
      if (excess <= 0) return Math.max(1, Math.ceil(at + windowMs - now));
    }
    return windowMs;
  }

  /** Grants a cost for which `waitMs` returned 0, and returns the rest of `max`. */
  function take(key: string, cost: number, now: number): number {
    const usage = usages.get(key) ?? { taken: [], first: 0, sum: 0 };
    if (cost === 0) return max - usage.sum;
    // If the clock goes backwards, the time of the last grant is used.
    usage.taken.push({ at: Math.max(now, usage.taken.at(-1)?.at ?? now), cost });
    usage.sum += cost;
    usages.set(key, usage);
    return max - usage.sum;
  }

  function expire(usage: Usage, now: number): void {
    for (; usage.first < usage.taken.length; usage.first++) {
      const oldest = usage.taken[usage.first];
      if (oldest === undefined || oldest.at > now - windowMs) break;
      usage.sum -= oldest.cost;
    }
    // Drops the rounding errors of fractions.
    if (usage.first === usage.taken.length) usage.sum = 0;
    if (usage.first * 2 <= usage.taken.length) return;
    usage.taken = usage.taken.slice(usage.first);
    usage.first = 0;
  }

  function forgetIdleKeys(now: number): void {
    for (const [key, { taken }] of usages) {
      if ((taken.at(-1)?.at ?? now) > now - windowMs) return;
      usages.delete(key);
    }
  }

  return { waitMs, take };
}
