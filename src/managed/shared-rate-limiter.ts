import type { CallScope } from '../core/context.js';
import { assertOptions, having, kindOf } from '../core/support/check-values.js';
import { meansTool } from '../core/tool-names.js';
import { type FlexibleLimiter, fromRateLimiterFlexible } from '../guards/limits/from-rate-limiter-flexible.js';
import { costsOf, limitsOf, type RateLimits } from '../guards/limits/rate-limits.js';
import type { RateAnswer, RateLimiter, RateRequest } from '../ports/rate-limiter.js';
import type { SqlClient, SqlQueries } from '../ports/sql-client.js';
import { loadFlexibleLimiters, postgresLimiter, type RedisClient, redisLimiter } from './flexible-limiters.js';

/** Limits shared by all processes. Costs are whole numbers, windows whole seconds, `max` at most a billion. */
export interface SharedRateLimiterOptions extends RateLimits {
  /** A database that `migrate` has brought up to date, or a Redis client of the package `ioredis` or `redis`. */
  readonly client: SqlClient | RedisClient;
  /** Prefix of the keys. Processes with the same prefix share their counts. Default `toolwright`. */
  readonly prefix?: string | undefined;
}

const most = 1_000_000_000;

/**
 * Counts the calls of all processes with the optional package rate-limiter-flexible. A window begins with its first
 * call. A refused call does not count, except in Redis: a call that the limit for all tools refuses counts for the
 * limit of its tool. Refuses calls if the store fails or the package is missing. Throws a TypeError for invalid
 * options.
 */
export function sharedRateLimiter(options: SharedRateLimiterOptions): RateLimiter {
  const what = 'sharedRateLimiter';
  const limits = limitsOf(what, options, { client: true, prefix: true });
  const { client, prefix = 'toolwright', costs, perTool } = options;
  const database = 'transaction' in Object(client) ? (client as SqlClient) : undefined;
  const aClient = having('a SqlClient or a client of Redis', database === undefined ? 'eval' : 'query');
  assertOptions(what, { client: client ?? null, prefix }, { client: aClient, prefix: kindOf.text });
  for (const { max, windowMs } of limits) assertCountable(what, max, windowMs);
  for (const cost of Object.values(costs ?? {})) assertWhole(`${what}: a cost`, cost);
  const costOf = costsOf(what, costs);
  return {
    names: Object.keys({ ...perTool, ...costs }),
    async take({ key, tool, cost = costOf(tool) }, scope) {
      assertWhole('cost', cost);
      // The limit for all tools comes last, since it locks out other calls of the session.
      const held = limits
        .toReversed()
        .filter(({ max }) => max !== Number.POSITIVE_INFINITY)
        .filter((limit) => limit.tool === undefined || meansTool(limit.tool, tool));
      if (held.some(({ max }) => cost > max)) return { ok: false, retryAfterMs: Number.POSITIVE_INFINITY };
      const limiters = await loadFlexibleLimiters();
      const request = { key, tool, cost };
      if (database === undefined) {
        const own = held.map((limit) => redisLimiter(limiters, client as RedisClient, limit, prefix));
        return takeAll(own, request, scope);
      }
      return together(database, (queries) => {
        const own = held.map((limit) => postgresLimiter(limiters, queries, limit, prefix));
        return takeAll(own, request, scope);
      });
    },
  };
}

/** Consumes from each limit in order until one refuses. */
async function takeAll(
  limiters: readonly FlexibleLimiter[],
  request: RateRequest,
  scope: CallScope,
): Promise<RateAnswer> {
  let remaining = Number.POSITIVE_INFINITY;
  for (const limiter of limiters) {
    const answer = await fromRateLimiterFlexible(limiter).take(request, scope);
    if (!answer.ok) return answer;
    remaining = Math.min(remaining, answer.remaining);
  }
  return { ok: true, remaining };
}

// Deletions block no other process: each locks the rows it counts in, and skips locked rows.
const forgetOld = `DELETE FROM rate_limits WHERE key IN (
  SELECT key FROM rate_limits WHERE expire < extract(epoch FROM now()) * 1000 - 3600000
  LIMIT 20 FOR UPDATE SKIP LOCKED)`;

/** Consumes in one transaction, which is rolled back if a limit refuses. */
async function together(client: SqlClient, take: (queries: SqlQueries) => Promise<RateAnswer>): Promise<RateAnswer> {
  let refused: RateAnswer | undefined;
  try {
    return await client.transaction(async (queries) => {
      const answer = await take(queries);
      if (!answer.ok) {
        refused = answer;
        throw new Error('refused');
      }
      await queries.query(forgetOld);
      return answer;
    });
  } catch (thrown) {
    if (refused === undefined) throw thrown;
    return refused;
  }
}

function assertCountable(what: string, max: number, windowMs: number): void {
  if (max !== Number.POSITIVE_INFINITY && max > most)
    throw new TypeError(`${what}: max must be at most ${most}, or Infinity, not ${max}`);
  if (!Number.isInteger(windowMs / 1_000))
    throw new TypeError(`${what}: windowMs must be whole seconds, such as 60_000, not ${windowMs}`);
}

function assertWhole(name: string, cost: number): void {
  if (!(Number.isSafeInteger(cost) && cost >= 0))
    throw new TypeError(`${name} must be a whole number from 0 up, not ${String(cost)}`);
}
