import { randomUUID } from 'node:crypto';
import { Client, Pool, type PoolConfig } from 'pg';
import { onTestFinished } from 'vitest';

const server: PoolConfig = { host: '127.0.0.1', port: 5432, user: 'postgres', database: 'test' };

/** Whether tests with a PostgreSQL server can run here. Prints a message if not. */
export async function hasPostgres(): Promise<boolean> {
  const client = new Client({ ...server, connectionTimeoutMillis: 5_000 });
  try {
    await client.connect();
    await client.end();
    return true;
  } catch (error) {
    process.stdout.write(`Tests on PostgreSQL are skipped: nothing answers on 127.0.0.1:5432 (${String(error)}).\n`);
    return false;
  }
}

/**
 * A connection to a new, empty schema, which is dropped after the running test, or with `afterAll` after the file. Its
 * pools end before.
 */
export async function emptySchema(
  onEnd: (work: () => Promise<void>) => void = onTestFinished,
): Promise<{ readonly pool: (options?: PoolConfig) => Pool; readonly url: string }> {
  const schema = `test_${randomUUID().replaceAll('-', '')}`;
  const pools: Pool[] = [];
  const run = async (statement: string) => {
    const client = new Client(server);
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  await run(`CREATE SCHEMA ${schema}`);
  onEnd(async () => {
    await Promise.all(pools.map((pool) => pool.end()));
    await run(`DROP SCHEMA ${schema} CASCADE`);
  });
  return {
    url: `postgres://postgres@127.0.0.1:5432/test?options=${encodeURIComponent(`-c search_path=${schema}`)}`,
    pool(options = {}) {
      const pool = new Pool({ ...server, options: `-c search_path=${schema}`, ...options });
      pools.push(pool);
      return pool;
    },
  };
}
