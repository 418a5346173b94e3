import { fromPglite, managedStores, memoryStores } from 'toolwright/managed';
import { afterAll, expect, test } from 'vitest';
import { managedStoreTests } from '../support/managed-store-cases.js';
import { emptyPglite } from '../support/pglite.js';

managedStoreTests(async () => fromPglite(await emptyPglite(afterAll)));

test('an invalid client and a misspelt option are rejected, and the error shows the correct call', () => {
  expect(() => managedStores({} as never)).toThrow(/^managedStores takes a SqlClient.* write managedStores\(fromPg/);
  const client = { query: () => {}, transaction: () => {}, listen: () => {} } as never;
  expect(() => managedStores(client, { boxx: {} } as never)).toThrow(/^managedStores: .*boxx/);
  expect(() => memoryStores({ box: {} } as never)).toThrow(/^memoryStores: box takes/);
});
