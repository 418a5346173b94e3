import { describe, expect, test } from 'vitest';
import { fromPglite } from 'toolwright/managed';
import { sqlClientConformance } from 'toolwright/testing';
import { migrationTests } from '../support/migration-cases.js';
import { emptyPglite } from '../support/pglite.js';

const emptyDatabase = async () => fromPglite(await emptyPglite());

test.each(sqlClientConformance)('$name', ({ run }) => run(async () => ({ client: await emptyDatabase() })));

describe('migrate', () => migrationTests(emptyDatabase));

test('what is no PGlite is refused with what to write', () => {
  expect(() => fromPglite({} as never)).toThrow(
    new TypeError("fromPglite takes a PGlite, got an object with no fields; write fromPglite(new PGlite('/folder'))"),
  );
});

test('a database that is closed is storage_failed', async () => {
  const gone = () => Promise.reject(new Error('PGlite is closed'));
  const client = fromPglite({ query: gone, transaction: gone, onNotification: () => () => {} });
  for (const work of [client.query('SELECT 1'), client.transaction(async () => {}), client.listen('a', () => {})])
    await expect(work).rejects.toMatchObject({ code: 'storage_failed', message: expect.stringContaining('is closed') });
});
