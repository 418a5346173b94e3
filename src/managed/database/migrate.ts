import { createHash } from 'node:crypto';
import { ToolError } from '../../core/error.js';
import type { SqlClient, SqlQueries } from '../../ports/sql-client.js';
import { type Migration, migrations } from './migrations.js';

/** The result of {@link migrate}. */
export interface MigrateResult {
  /** The names of the applied migrations, in order. */
  readonly applied: readonly string[];
}

/**
 * Creates or updates the tables of managed mode, in the first schema of the `search_path`, one transaction for each
 * migration. Several processes can call it at once. Rejects with `storage_failed` and the name of an applied migration
 * that has changed, or that this version does not know.
 */
export async function migrate(client: SqlClient): Promise<MigrateResult> {
  return await migrateBy(client, migrations);
}

/** {@link migrate} with other migrations. */
export async function migrateBy(client: SqlClient, steps: readonly Migration[]): Promise<MigrateResult> {
  const applied: string[] = [];
  for (;;) {
    const name = await client.transaction((queries) => applyNext(queries, steps));
    if (name === undefined) return { applied };
    applied.push(name);
  }
}

/** Applies the first pending migration and resolves with its name; undefined if there is none. */
async function applyNext(queries: SqlQueries, steps: readonly Migration[]): Promise<string | undefined> {
  await queries.query(`SELECT pg_advisory_xact_lock(hashtext('toolwright_migrations ' || current_schema()))`);
  await queries.query(
    `CREATE TABLE IF NOT EXISTS toolwright_migrations (
      name text PRIMARY KEY,
      checksum text NOT NULL,
      applied_at timestamptz NOT NULL DEFAULT now()
    )`,
  );
  const { rows } = await queries.query('SELECT name, checksum FROM toolwright_migrations ORDER BY name');
  const done = new Map(rows.map(({ name, checksum }) => [String(name), checksum]));
  for (const [name, checksum] of done) {
    const step = steps.find((one) => one.name === name);
    const problem = problemOf(step, checksum);
    if (problem !== undefined) throw new ToolError('storage_failed', `The migration ${name} was ${problem}.`);
  }
  const next = steps.find(({ name }) => !done.has(name));
  if (next === undefined) return undefined;
  for (const statement of next.statements) await queries.query(statement);
  const applied = 'INSERT INTO toolwright_migrations (name, checksum) VALUES ($1, $2)';
  await queries.query(applied, [next.name, checksumOf(next)]);
  return next.name;
}

function checksumOf({ statements }: Migration): string {
  return createHash('sha256').update(JSON.stringify(statements)).digest('hex');
}

function problemOf(step: Migration | undefined, checksum: unknown): string | undefined {
  if (step === undefined) return 'made by a newer version of the package; install that one, or use another database';
  if (checksumOf(step) === checksum) return undefined;
  return 'changed after it was applied; restore its text, and make the change in a new migration';
}
