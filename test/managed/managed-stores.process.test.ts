import { fromPg, managedStores, migrate } from 'toolwright/managed';
import { managedStoresConformance } from 'toolwright/testing';
import { describe, expect, test } from 'vitest';
import { managedStoreTests } from '../support/managed-store-cases.js';
import { emptySchema, hasPostgres } from '../support/postgres.js';

async function emptyTables() {
  const client = fromPg((await emptySchema()).pool());
  await migrate(client);
  return client;
}

describe.runIf(await hasPostgres())('on PostgreSQL', () => {
  test.each(managedStoresConformance)('$name', ({ run }) =>
    run(async () => ({ stores: managedStores(await emptyTables()) })),
  );

  managedStoreTests(emptyTables);

  test('a dead letter that another process is taking out is not waited for', async () => {
    const client = await emptyTables();
    const { deadLetters } = managedStores(client);
    const scope = { caller: { sessionId: 's' }, signal: new AbortController().signal };
    const error = { code: 'timeout', message: 'late' } as const;
    await deadLetters.add({ id: 'one', call: { id: 'c', name: 'T', input: {} }, error, attempts: 1, at: '' }, scope);
    await client.transaction(async ({ query }) => {
      await query('SELECT id FROM dead_letters FOR UPDATE');
      expect(await deadLetters.redrive('one')).toBeUndefined();
    });
    expect(await deadLetters.redrive('one')).toMatchObject({ id: 'c' });
  });
});
