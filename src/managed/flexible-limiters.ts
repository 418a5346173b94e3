import type * as flexible from 'rate-limiter-flexible';
import { ToolError } from '../core/error.js';
import { optionalPackage } from '../core/support/optional-package.js';
import type { FlexibleLimiter } from '../guards/limits/from-rate-limiter-flexible.js';
import type { KnownLimit } from '../guards/limits/rate-limits.js';
import type { SqlQueries, SqlValue } from '../ports/sql-client.js';

/** The methods used of a Redis client from the package `ioredis` or `redis`. */
export interface RedisClient {
  eval(script: string, ...rest: never[]): unknown;
}

/** The limiters of the package. */
export type FlexibleLimiters = Pick<typeof flexible, 'RateLimiterPostgres' | 'RateLimiterRedis'>;

/** Loads the optional package. Rejects with `not_configured` if it is missing. */
export async function loadFlexibleLimiters(): Promise<FlexibleLimiters> {
  try {
    const loaded = (await optionalPackage('rate-limiter-flexible')) as FlexibleLimiters & {
      readonly default?: FlexibleLimiters;
    };
    return loaded.default ?? loaded;
  } catch (cause) {
    const message =
      'Shared rate limits need the package rate-limiter-flexible. Ask the user to run: npm install rate-limiter-flexible';
    throw new ToolError('not_configured', message, { cause });
  }
}

/** Counts in the table `rate_limits`, with the queries of one transaction. */
export function postgresLimiter(
  { RateLimiterPostgres }: FlexibleLimiters,
  { query }: SqlQueries,
  limit: KnownLimit,
  prefix: string,
): FlexibleLimiter {
  return new RateLimiterPostgres({
    ...common(limit, prefix),
    storeType: 'client',
    storeClient: {
      query: ({ text, values }: { readonly text: string; readonly values: readonly SqlValue[] }) => query(text, values),
    },
    tableName: 'rate_limits',
    tableCreated: true,
    clearExpiredByTimeout: false,
  });
}

// The query of the package also counts refused calls.
const takeOrRefuse = `local wanted = tonumber(redis.call('get', KEYS[1]) or 0) + tonumber(ARGV[1])
if wanted <= tonumber(ARGV[3]) then
  redis.call('set', KEYS[1], 0, 'EX', ARGV[2], 'NX')
  redis.call('incrby', KEYS[1], ARGV[1])
end
return {wanted, redis.call('pttl', KEYS[1])}`;

/** Counts in keys that expire with their windows. */
export function redisLimiter(
  { RateLimiterRedis }: FlexibleLimiters,
  client: RedisClient,
  limit: KnownLimit,
  prefix: string,
): FlexibleLimiter {
  const run = client.eval.bind(client) as (script: string, ...rest: unknown[]) => Promise<unknown>;
  const isIoredis = typeof Object(client).defineCommand === 'function';
  return new RateLimiterRedis({
    ...common(limit, prefix),
    // The package would define a command on the ioredis client, shared by all its limiters.
    storeClient: {
      eval: async (
        script: string,
        given: { readonly keys: readonly string[]; readonly arguments: readonly string[] },
      ) => (isIoredis ? run(script, given.keys.length, ...given.keys, ...given.arguments) : run(script, given)),
      // Older versions of the package always create a multi.
      multi: () => ({}),
    },
    useRedisPackage: true,
    customIncrTtlLuaScript: takeOrRefuse,
  });
}

function common({ tool = '', max, windowMs }: KnownLimit, prefix: string) {
  return { points: max, duration: windowMs / 1_000, keyPrefix: `${prefix}:${tool.toLowerCase()}` };
}
