import { fromPglite, managedStores, migrate } from 'toolwright/managed';
import { managedStoresConformance } from 'toolwright/testing';
import { test } from 'vitest';
import { emptyPglite } from '../support/pglite.js';

async function emptyDatabase() {
  const client = fromPglite(await emptyPglite());
  await migrate(client);
  return client;
}

test.each(managedStoresConformance)('$name', ({ run }) =>
  run(async () => ({ stores: managedStores(await emptyDatabase()) })),
);
