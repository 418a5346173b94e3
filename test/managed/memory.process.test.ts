import { fromPg, managedStores, memoryIndex, migrate } from 'toolwright/managed';
import { describe } from 'vitest';
import { memoryIndexTests } from '../support/memory-index-cases.js';
import { emptySchema, hasPostgres } from '../support/postgres.js';

describe.runIf(await hasPostgres())('on PostgreSQL', () =>
  memoryIndexTests(async (embedder) => {
    const client = fromPg((await emptySchema()).pool());
    await migrate(client);
    return { stores: managedStores(client), index: memoryIndex({ client, embedder }) };
  }),
);
