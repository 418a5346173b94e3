import { once } from 'node:events';
import { createServer } from 'node:net';
import { Pool } from 'pg';
import { fromPg, migrate, type SqlQueries } from 'toolwright/managed';
import { sqlClientConformance } from 'toolwright/testing';
import { describe, expect, test } from 'vitest';
import { migrationTests } from '../support/migration-cases.js';
import { emptySchema, hasPostgres } from '../support/postgres.js';
import { until } from '../support/until.js';

const emptyDatabase = async () => fromPg((await emptySchema()).pool());

const ownPid = 'SELECT pg_backend_pid() AS pid';

async function pidOf({ query }: SqlQueries): Promise<number> {
  return Number((await query(ownPid)).rows[0]?.pid);
}

describe.runIf(await hasPostgres())('on PostgreSQL', () => {
  test.each(sqlClientConformance)('$name', ({ run }) => run(async () => ({ client: await emptyDatabase() })));

  describe('migrate', () => {
    migrationTests(emptyDatabase);

    test('several processes that migrate at once apply each step once', async () => {
      const schema = await emptySchema();
      const done = await Promise.all(Array.from({ length: 8 }, () => migrate(fromPg(schema.pool()))));
      const steps = done.flatMap(({ applied }) => applied).sort();
      expect(steps).toEqual(['001-tables']);
    });
  });

  test('a transaction whose connection ends fails with storage_failed, and the next uses another connection', async () => {
    const schema = await emptySchema();
    const [client, other] = [fromPg(schema.pool({ max: 1 })), fromPg(schema.pool())];
    await client.query('CREATE TABLE kept (value text)');
    const ended = client.transaction(async (queries) => {
      await queries.query(`INSERT INTO kept VALUES ('a')`);
      await other.query('SELECT pg_terminate_backend($1)', [await pidOf(queries)]);
      await queries.query(`INSERT INTO kept VALUES ('b')`);
    });
    await expect(ended).rejects.toMatchObject({ code: 'storage_failed' });
    expect((await client.query('SELECT * FROM kept')).rows).toEqual([]);
  });

  test('an idle connection that ends is replaced', async () => {
    const schema = await emptySchema();
    const pool = schema.pool({ max: 1 });
    const client = fromPg(pool);
    const removed = new Promise((resolve) => pool.once('remove', resolve));
    await fromPg(schema.pool()).query('SELECT pg_terminate_backend($1)', [await pidOf(client)]);
    await removed;
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  test('transactions leave no listener on their connection', async () => {
    const pool = (await emptySchema()).pool({ max: 1 });
    const client = fromPg(pool);
    const count = async () => {
      const connection = await pool.connect();
      const listeners = connection.listenerCount('error');
      connection.release();
      return listeners;
    };
    const before = await count();
    for (let round = 0; round < 3; round++) await client.transaction(({ query }) => query(ownPid));
    expect(await count()).toBe(before);
  });

  test('a listening connection that ends is replaced, and reports that notifications may be missing', async () => {
    const schema = await emptySchema();
    const pool = schema.pool();
    const [client, other] = [fromPg(pool), fromPg(schema.pool())];
    const told: string[] = [];
    const channel = `again ${process.pid}`;
    const stop = await client.listen(channel, (payload) => void told.push(payload));
    await other.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = $1', [
      `LISTEN "${channel}"`,
    ]);
    await until(() => told.length > 0);
    await other.query('SELECT pg_notify($1, $2)', [channel, 'after']);
    await until(() => told.length > 1);
    await stop();
    expect(told).toEqual(['', 'after']);
    expect(pool.totalCount).toBe(0);
  });
});

test('a listener after a failed one is not told that notifications are missing', async () => {
  const on = () => {};
  let isUp = false;
  const connection = { query: async () => ({ rows: [] }), on, off: on, release: () => {} };
  const connect = async () => (isUp ? connection : Promise.reject(new Error('down')));
  const client = fromPg({ ending: false, query: connection.query, connect, on } as never);
  const told: string[] = [];
  const listen = () => client.listen('a', (payload) => void told.push(payload));
  await expect(listen()).rejects.toMatchObject({ code: 'storage_failed' });
  isUp = true;
  const stop = await listen();
  expect(told).toEqual([]);
  await stop();
});

test('an unreachable database is storage_failed, with the reason', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { readonly port: number };
  server.close();
  await once(server, 'close');
  const pool = new Pool({ host: 'localhost', port, user: 'nobody' });
  const client = fromPg(pool);
  const { query, transaction, listen } = client;
  for (const work of [() => query('SELECT 1'), () => transaction(async () => {}), () => listen('a', () => {})])
    await expect(work()).rejects.toMatchObject({
      code: 'storage_failed',
      message: expect.stringMatching(/^The database failed: .*ECONNREFUSED.*\. Tell the user\.$/),
    });
  await pool.end();
});

test('anything but a pool is rejected, and the error shows the correct call', () => {
  expect(() => fromPg('postgres://localhost/test' as never)).toThrow(
    new TypeError('fromPg takes a pool of pg, got a string; write fromPg(new Pool({ connectionString }))'),
  );
});
