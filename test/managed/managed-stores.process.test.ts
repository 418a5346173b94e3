import { fromPg, managedStores } from 'toolwright/managed';
import { afterAll, describe, expect, test } from 'vitest';
import { managedStoreTests } from '../support/managed-store-cases.js';
import { emptySchema, hasPostgres } from '../support/postgres.js';

describe.runIf(await hasPostgres())('on PostgreSQL', () => {
  const emptyTables = managedStoreTests(async () => fromPg((await emptySchema(afterAll)).pool()));

  test('a dead letter that another process is taking out is skipped', async () => {
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
