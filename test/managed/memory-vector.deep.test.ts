import { PGlite } from '@electric-sql/pglite';
import { fromPglite, managedStores, memoryIndex, migrate, type SqlClient } from 'toolwright/managed';
import { describe, expect, onTestFinished, test } from 'vitest';
import { memoryIndexTests } from '../support/memory-index-cases.js';

const { vector } = (await import('@electric-sql/pglite-pgvector')) as { readonly vector: never };

async function databaseWithVectors(): Promise<SqlClient> {
  const db = new PGlite({ extensions: { vector } });
  onTestFinished(() => db.close());
  await db.exec('CREATE EXTENSION vector');
  const client = fromPglite(db);
  await migrate(client);
  return client;
}

describe('with pgvector', () => {
  memoryIndexTests(async (embedder) => {
    const client = await databaseWithVectors();
    return { stores: managedStores(client), index: memoryIndex({ client, embedder }) };
  });

  test('vectors are compared by pgvector', async () => {
    const client = await databaseWithVectors();
    const asked: string[] = [];
    const seen: SqlClient = {
      ...client,
      query: (text, values) => {
        asked.push(text);
        return client.query(text, values);
      },
      transaction: (run) => client.transaction(run),
    };
    const embedder = { model: 'm', dimensions: 2, embed: async (texts: readonly string[]) => texts.map(() => [1, 2]) };
    const index = memoryIndex({ client: seen, embedder });
    const scope = { caller: { sessionId: 's', agentId: 'a', userId: 'u' }, signal: new AbortController().signal };
    await managedStores(client).memory.put({ agentId: 'a', userId: 'u' }, 'MEMORY.md', Buffer.from('green tea'));
    expect(await index.search({ query: 'nothing of it' }, scope)).toMatchObject([{ path: 'MEMORY.md', score: 1 }]);
    expect(asked.some((text) => text.includes('<=>'))).toBe(true);
  });
});
