import { Redis } from 'ioredis';
import type { RateLimiter, RateRequest } from 'toolwright/core';
import { fromPg, migrate, type SharedRateLimiterOptions, sharedRateLimiter } from 'toolwright/managed';
import { rateLimiterConformance } from 'toolwright/testing';
import { describe, expect, test } from 'vitest';
import { callScope } from '../support/call-scope.js';
import { calls, run, tool } from '../support/pipeline.js';
import { emptySchema, hasPostgres } from '../support/postgres.js';
import { emptyRedis, hasRedis } from '../support/redis.js';

type Client = SharedRateLimiterOptions['client'];
type Limits = Omit<SharedRateLimiterOptions, 'client' | 'prefix'>;

/** Makes limiters for several processes over one store. */
type Store = () => Promise<(limits: Limits) => Promise<RateLimiter>>;

const onPostgres: Store = async () => {
  const schema = await emptySchema();
  await migrate(fromPg(schema.pool()));
  return async (limits) => sharedRateLimiter({ client: fromPg(schema.pool({ max: 4 })), ...limits });
};

const onRedis =
  (clientOf: (redis: ReturnType<typeof emptyRedis>) => Client | Promise<Client>): Store =>
  async () => {
    const redis = emptyRedis();
    return async (limits) => sharedRateLimiter({ client: await clientOf(redis), prefix: redis.prefix, ...limits });
  };

const [postgres, redis] = [await hasPostgres(), await hasRedis()];
const stores: readonly (readonly [name: string, isThere: boolean, store: Store])[] = [
  ['PostgreSQL', postgres, onPostgres],
  ['Redis, by ioredis', redis, onRedis((redis) => redis.ioredis())],
  ['Redis, by redis', redis, onRedis((redis) => redis.nodeRedis())],
];

async function granted(limiters: readonly RateLimiter[], requests: readonly RateRequest[]): Promise<number> {
  const answers = await Promise.all(
    limiters.flatMap((limiter) => requests.map((request) => limiter.take(request, callScope()))),
  );
  return answers.filter(({ ok }) => ok).length;
}

describe.each(stores.filter(([, isThere]) => isThere))('on %s', (_name, _isThere, store) => {
  test.each(rateLimiterConformance)('$name', ({ run }) =>
    run(async () => ({ limiter: await (await store())({ max: 5 }) })),
  );

  test('two clients together allow exactly the limit, for any costs', async () => {
    const make = await store();
    const limits = { max: 50, perTool: { Bash: { max: 7 } }, costs: { Agent: 6 } };
    const limiters = await Promise.all([make(limits), make(limits)]);
    const request = (key: string, name: string) => Array.from({ length: 30 }, () => ({ key, tool: name }));
    expect(await granted(limiters, request('one', 'Read'))).toBe(50);
    expect(await granted(limiters, request('two', 'bash'))).toBe(7);
    expect(await granted(limiters, request('three', 'Agent'))).toBe(8);
    // Refused calls have not reduced the limit.
    expect(await granted(limiters, request('three', 'Read'))).toBe(2);
  });

  test('a call refused by the limit of a tool does not count for the common limit', async () => {
    const limiter = await (await store())({ max: 5, perTool: { Bash: { max: 1 } } });
    expect(
      await granted(
        [limiter],
        Array.from({ length: 9 }, () => ({ key: 'k', tool: 'Bash' })),
      ),
    ).toBe(1);
    expect(
      await granted(
        [limiter],
        Array.from({ length: 9 }, () => ({ key: 'k', tool: 'Read' })),
      ),
    ).toBe(4);
  });

  test('calls over the limit, without cost, and without a limit', async () => {
    const limiter = await (await store())({
      max: Number.POSITIVE_INFINITY,
      perTool: { Bash: { max: 2 }, Write: { max: 0 } },
      costs: { Glob: 0 },
    });
    const take = (name: string, cost?: number) =>
      limiter.take({ key: 'k', tool: name, ...(cost === undefined ? {} : { cost }) }, callScope());
    expect(await take('Bash', 3)).toEqual({ ok: false, retryAfterMs: Number.POSITIVE_INFINITY });
    expect(await take('Write')).toEqual({ ok: false, retryAfterMs: Number.POSITIVE_INFINITY });
    expect(await take('Bash', 2)).toEqual({ ok: true, remaining: 0 });
    expect(await take('Bash', 0)).toEqual({ ok: true, remaining: 0 });
    expect(await take('Read')).toEqual({ ok: true, remaining: Number.POSITIVE_INFINITY });
    await expect(take('Bash', 0.5)).rejects.toThrow('cost must be a whole number from 0 up, not 0.5');
  });
});

describe.runIf(postgres)('the table of PostgreSQL', () => {
  test('an ended window starts again, and old ones are removed', async () => {
    const schema = await emptySchema();
    const client = fromPg(schema.pool());
    await migrate(client);
    const limiter = sharedRateLimiter({ client, max: 1 });
    const take = async (key: string) => (await limiter.take({ key, tool: 'T' }, callScope())).ok;
    expect([await take('a'), await take('a'), await take('b')]).toEqual([true, false, true]);
    await client.query(`UPDATE rate_limits SET expire = expire - 3600000 WHERE key LIKE '%:a'`);
    expect([await take('a'), await take('a')]).toEqual([true, false]);
    await client.query(`UPDATE rate_limits SET expire = expire - 7200001 WHERE key LIKE '%:a'`);
    await take('c');
    const { rows } = await client.query('SELECT key FROM rate_limits ORDER BY key');
    expect(rows.map(({ key }) => key)).toEqual(['toolwright::b', 'toolwright::c']);
  });

  test('a database without the table refuses every call', async () => {
    const rateLimiter = sharedRateLimiter({ client: fromPg((await emptySchema()).pool()), max: 9 });
    const { results } = await run([tool('Act', () => 'done')], calls('Act'), { rateLimiter });
    expect(results).toMatchObject([
      { error: { code: 'rate_limited', message: expect.stringContaining('The rate limiter failed') } },
    ]);
  });
});

test('an unreachable Redis refuses every call', async () => {
  const client = new Redis({ port: 1, lazyConnect: true, retryStrategy: () => null, maxRetriesPerRequest: 0 });
  client.on('error', () => {});
  const rateLimiter = sharedRateLimiter({ client, max: 9 });
  const { results } = await run([tool('Act', () => 'done')], calls('Act'), { rateLimiter });
  client.disconnect();
  expect(results).toMatchObject([
    { error: { code: 'rate_limited', message: expect.stringContaining('The rate limiter failed') } },
  ]);
});
