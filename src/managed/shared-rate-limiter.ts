import type * as flexible from 'rate-limiter-flexible';
import { neededPackage } from '../core/require-package.js';
import { having, kindOf } from '../core/support/check-values.js';
import { once } from '../core/support/once.js';
import { meansTool } from '../core/tool-names.js';
import { fromRateLimiterFlexible } from '../guards/limits/from-rate-limiter-flexible.js';
import { costsOf, type KnownLimit, limitsOf, type RateLimits } from '../guards/limits/rate-options.js';
import type { RateLimiter } from '../ports/rate-limiter.js';
import type { SqlClient, SqlValue } from '../ports/sql-client.js';

/** The methods of a client of `ioredis` or `redis` that {@link sharedRateLimiter} uses. */
export interface RedisClient {
  eval(script: string, ...rest: never[]): unknown;
}

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
 * call. If one limit refuses a call, the cost of the call is returned to all limits. Until the cost is returned, other
 * calls can be refused because of it. Refuses calls if the store fails or the package is missing. Throws a TypeError
 * for invalid options.
 */
export function sharedRateLimiter(options: SharedRateLimiterOptions): RateLimiter {
  const what = 'sharedRateLimiter';
  const isDatabase = 'transaction' in Object(Object(options).client);
  const aClient = having('a SqlClient or a client of Redis', isDatabase ? 'query' : 'eval');
  const limits = limitsOf(what, options, { client: aClient, prefix: kindOf.text }, 'client');
  const { client, prefix = 'toolwright', costs, perTool } = options;
  for (const { max, windowMs } of limits) assertCountable(what, max, windowMs);
  for (const cost of Object.values(costs ?? {})) assertWhole(`${what}: a cost`, cost);
  const costOf = costsOf(what, costs);
  // The limit for all tools is charged last. If it were charged first and another limit then refused the call, its cost
  // would block calls of other tools until it is returned.
  const counted = limits.toReversed().filter(({ max }) => max !== Number.POSITIVE_INFINITY);
  const loadLimiters = once(async () => {
    const loaded = await neededPackage<Flexible>('rate-limiter-flexible', 'Shared rate limits need');
    return counted.map((limit) => limiterOf(loaded.default ?? loaded, client, limit, prefix));
  });
  return {
    names: Object.keys({ ...perTool, ...costs }),
    async take({ key, tool, cost = costOf(tool) }, scope) {
      assertWhole('cost', cost);
      const applies = ({ tool: limited }: KnownLimit) => limited === undefined || meansTool(limited, tool);
      if (counted.some((limit) => applies(limit) && cost > limit.max))
        return { ok: false, retryAfterMs: Number.POSITIVE_INFINITY };
      const limiters = await loadLimiters();
      const taken: typeof limiters = [];
      let remaining = Number.POSITIVE_INFINITY;
      for (const limiter of limiters.filter((_, index) => applies(counted[index] as KnownLimit))) {
        taken.push(limiter);
        const answer = await fromRateLimiterFlexible(limiter).take({ key, tool, cost }, scope);
        if (!answer.ok) {
          await Promise.all(taken.map((one) => one.reward(key, cost)));
          return answer;
        }
        remaining = Math.min(remaining, answer.remaining);
      }
      if ('transaction' in client) await client.query(forgetOld);
      return { ok: true, remaining };
    },
  };
}

type Limiters = Pick<typeof flexible, 'RateLimiterPostgres' | 'RateLimiterRedis'>;
type Flexible = Limiters & { readonly default?: Limiters };

function limiterOf(
  { RateLimiterPostgres, RateLimiterRedis }: Limiters,
  client: SqlClient | RedisClient,
  { tool = '', max, windowMs }: KnownLimit,
  prefix: string,
) {
  const common = { points: max, duration: windowMs / 1_000, keyPrefix: `${prefix}:${tool.toLowerCase()}` };
  if (!('transaction' in client))
    return new RateLimiterRedis({ ...common, storeClient: client, useRedisPackage: !('defineCommand' in client) });
  const query = ({ text, values }: { readonly text: string; readonly values: readonly SqlValue[] }) =>
    client.query(text, values);
  return new RateLimiterPostgres({
    ...common,
    storeType: 'client',
    storeClient: { query },
    tableName: 'rate_limits',
    tableCreated: true,
    clearExpiredByTimeout: false,
  });
}

// A deletion blocks no other process, because it skips the rows that another process has locked.
const forgetOld = `DELETE FROM rate_limits WHERE key IN (
  SELECT key FROM rate_limits WHERE expire < extract(epoch FROM now()) * 1000 - 3600000
  LIMIT 20 FOR UPDATE SKIP LOCKED)`;

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
