import { assertOptions, kindOf } from '../../core/support/check-values.js';
import type { RateAnswer, RateLimiter, RateRequest } from '../../ports/rate-limiter.js';
import { checkCost, costsOf } from './rate-options.js';

/** The answer of a limiter of rate-limiter-flexible, which rejects with the same shape if no points are left. */
export interface FlexibleAnswer {
  readonly remainingPoints: number;
  readonly msBeforeNext: number;
}

/** Any single limiter of rate-limiter-flexible (memory, Redis, PostgreSQL …), not its `RateLimiterUnion`. */
export interface FlexibleLimiter {
  consume(key: string, points?: number): Promise<FlexibleAnswer>;
}

/**
 * A rate limiter that keeps its counts in the package rate-limiter-flexible, so that several processes can share them.
 * A call consumes one point, or the points that `costs` gives for its tool. When the store cannot be reached, the call
 * is refused. The package also counts refused calls, so a refused call with a high cost can block cheaper calls.
 *
 * @example const limiter = new RateLimiterRedis({ storeClient: redis, points: 1_000, duration: 3_600 });
 * createToolkit({ root, rateLimiter: fromRateLimiterFlexible(limiter, { costs: { Agent: 20 } }) });
 */
export function fromRateLimiterFlexible(
  limiter: FlexibleLimiter,
  options: { readonly costs?: Readonly<Record<string, number>> } = {},
): RateLimiter {
  if (typeof limiter?.consume !== 'function')
    throw new TypeError('fromRateLimiterFlexible: pass a limiter of the package rate-limiter-flexible');
  assertOptions('fromRateLimiterFlexible', options, { costs: kindOf.record });
  const costOf = costsOf('fromRateLimiterFlexible', options.costs);
  return {
    names: Object.keys(options.costs ?? {}),
    take: async ({ key, tool, cost = costOf(tool) }: RateRequest): Promise<RateAnswer> => {
      checkCost('cost', cost);
      try {
        const { remainingPoints } = await limiter.consume(key, cost);
        return { ok: true, remaining: remainingPoints };
      } catch (thrown) {
        const waitMs = refusedFor(thrown);
        if (waitMs === undefined) throw thrown;
        return { ok: false, retryAfterMs: waitMs };
      }
    },
  };
}

/**
 * The wait after a refusal, in milliseconds; undefined for another failure. A negative `msBeforeNext` means that the
 * refusal never expires.
 */
function refusedFor(thrown: unknown): number | undefined {
  if (thrown instanceof Error || typeof thrown !== 'object' || thrown === null) return undefined;
  const { msBeforeNext } = thrown as Partial<FlexibleAnswer>;
  if (typeof msBeforeNext !== 'number') return undefined;
  return msBeforeNext < 0 ? Number.POSITIVE_INFINITY : Math.max(1, Math.ceil(msBeforeNext));
}
