import { randomUUID } from 'node:crypto';
import { PGlite } from '@electric-sql/pglite';
import { onTestFinished } from 'vitest';

// It takes seconds to make one: the tests of a worker share it, each in a schema of its own.
let shared: PGlite | undefined;

/** PostgreSQL in this process, in memory, with an empty schema that goes with the running test, or with the file by `afterAll`. */
export async function emptyPglite(onEnd: (work: () => Promise<void>) => void = onTestFinished): Promise<PGlite> {
  shared ??= new PGlite();
  const db = shared;
  const schema = `test_${randomUUID().replaceAll('-', '')}`;
  await db.exec(`CREATE SCHEMA ${schema}; SET search_path TO ${schema}`);
  onEnd(async () => void (await db.exec(`DROP SCHEMA ${schema} CASCADE`)));
  return db;
}
