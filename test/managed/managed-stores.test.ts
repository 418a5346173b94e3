import { fromPglite, managedStores, memoryStores, migrate } from 'toolwright/managed';
import { managedStoresConformance } from 'toolwright/testing';
import { expect, test } from 'vitest';
import { managedStoreTests } from '../support/managed-store-cases.js';
import { emptyPglite } from '../support/pglite.js';

async function emptyTables() {
  const client = fromPglite(await emptyPglite());
  await migrate(client);
  return client;
}

test.each(managedStoresConformance)('$name', ({ run }) =>
  run(async () => ({ stores: managedStores(await emptyTables()) })),
);

managedStoreTests(emptyTables);

test('what is no client, and a misspelled option, are refused with what to write', () => {
  expect(() => managedStores({} as never)).toThrow(/^managedStores takes a SqlClient.* write managedStores\(fromPg/);
  const client = { query: () => {}, transaction: () => {}, listen: () => {} } as never;
  expect(() => managedStores(client, { boxx: {} } as never)).toThrow(/^managedStores: .*boxx/);
  expect(() => memoryStores({ box: {} } as never)).toThrow(/^memoryStores: box takes/);
});
