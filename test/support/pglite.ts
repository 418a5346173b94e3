import { randomUUID } from 'node:crypto';
import { PGlite } from '@electric-sql/pglite';
import { onTestFinished } from 'vitest';

// Creating a database takes seconds, so the tests of a worker share one, each in its own schema.
let shared: PGlite | undefined;

/**
 * PostgreSQL in this process, in memory, with an empty schema. The schema is dropped after the running test, or with
 * `afterAll` after the file.
 */
export async function emptyPglite(onEnd: (work: () => Promise<void>) => void = onTestFinished): Promise<PGlite> {
  shared ??= new PGlite();
  const db = shared;
  const schema = `test_${randomUUID().replaceAll('-', '')}`;
  await db.exec(`CREATE SCHEMA ${schema}; SET search_path TO ${schema}`);
  onEnd(async () => void (await db.exec(`DROP SCHEMA ${schema} CASCADE`)));
  return db;
}
