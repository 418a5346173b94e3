import { fromPglite, type SqlClient } from 'toolwright/managed';
import { sqlClientConformance } from 'toolwright/testing';
import { describe, expect, test } from 'vitest';
import { table } from '../support/each-row.js';
import { migrationTests } from '../support/migration-cases.js';
import { emptyPglite } from '../support/pglite.js';

const emptyDatabase = async () => fromPglite(await emptyPglite());

test.each(sqlClientConformance)('$name', ({ run }) => run(async () => ({ client: await emptyDatabase() })));

describe('migrate', () => migrationTests(emptyDatabase));

test('anything but a PGlite is rejected, and the error shows the correct call', () => {
  expect(() => fromPglite({} as never)).toThrow(
    new TypeError("fromPglite takes a PGlite, got an object with no fields; write fromPglite(new PGlite('/folder'))"),
  );
});

test('a closed database is storage_failed', async () => {
  const gone = () => Promise.reject(new Error('PGlite is closed'));
  const client = fromPglite({ query: gone, transaction: gone, onNotification: () => () => {} });
  const { query, transaction, listen } = client;
  for (const work of [() => query('SELECT 1'), () => transaction(async () => {}), () => listen('a', () => {})])
    await expect(work()).rejects.toMatchObject({
      code: 'storage_failed',
      message: expect.stringContaining('is closed'),
    });
});

const faults: Readonly<Record<string, (client: SqlClient) => Partial<SqlClient>>> = {
  'values of all types are read back unchanged': ({ query }) => ({
    query: async (...given) => ({ rows: (await query(...given)).rows.map((row) => ({ ...row, number: '7' })) }),
  }),
  'a failed statement rejects with storage_failed': ({ query }) => ({
    query: (...given) => query(...given).catch(({ cause }) => Promise.reject(cause)),
  }),
  'a transaction takes effect whole or not at all': (client) => ({ transaction: (run) => run(client) }),
  'a transaction with a failed statement rejects, even if that error was caught': (client) => ({
    transaction: (run) => run(client),
  }),
  'a listener gets notifications with their payload until it is removed': ({ listen }) => ({
    listen: async (...given) => {
      await listen(...given);
      return async () => {};
    },
  }),
};

table(sqlClientConformance)('a case that detects a fault', async ({ name, run }) => {
  const client = await emptyDatabase();
  const faulty = { ...client, ...faults[name]?.(client) };
  await expect(run(() => ({ client: faulty }))).rejects.toThrow();
});
