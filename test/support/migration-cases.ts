import { migrate } from 'toolwright/managed';
import { expect, test } from 'vitest';
import { migrateBy } from '../../src/managed/database/migrate.js';
import { migrations } from '../../src/managed/database/migrations.js';
import type { SqlClient } from '../../src/ports/sql-client.js';

const tables = [
  ...['agent_context_files', 'audit', 'change_counts', 'custom_tools', 'dead_letters', 'mcp_access_requests'],
  ...['mcp_agent_grants', 'mcp_servers', 'mcp_user_grants', 'memory_chunks', 'memory_documents', 'rate_limits'],
  ...[
    'schedules',
    'settings',
    'subagent_leases',
    'suspensions',
    'tasks',
    'todos',
    'toolwright_migrations',
    'user_context_files',
  ],
];

/** Cases for migrations, each in an empty database. */
export function migrationTests(emptyDatabase: () => Promise<SqlClient>): void {
  test('an empty database gets every table, and a second migration changes nothing', async () => {
    const client = await emptyDatabase();
    expect(await migrate(client)).toEqual({ applied: migrations.map(({ name }) => name) });
    expect(await tablesOf(client)).toEqual(tables);
    expect(await migrate(client)).toEqual({ applied: [] });
  });

  test('a changed migration stops with its name, without any change', async () => {
    const client = await emptyDatabase();
    const [first, second] = [step('001-a', 'CREATE TABLE a ()'), step('002-b', 'CREATE TABLE b ()')];
    await migrateBy(client, [first]);
    await expect(migrateBy(client, [step('001-a', 'CREATE TABLE a (x int)'), second])).rejects.toThrow(
      expect.objectContaining({ code: 'storage_failed', message: expect.stringContaining('001-a was changed') }),
    );
    expect(await tablesOf(client)).toEqual(['a', 'toolwright_migrations']);
  });

  test('an unknown migration stops with its name', async () => {
    const client = await emptyDatabase();
    await migrateBy(client, [step('001-a', 'CREATE TABLE a ()'), step('009-later', 'CREATE TABLE z ()')]);
    await expect(migrateBy(client, [step('001-a', 'CREATE TABLE a ()')])).rejects.toThrow(
      expect.objectContaining({ code: 'storage_failed', message: expect.stringContaining('009-later') }),
    );
  });

  test('a migration that fails halfway is rolled back, and the previous ones stay', async () => {
    const client = await emptyDatabase();
    const steps = (statement: string) => [
      step('001-a', 'CREATE TABLE a ()'),
      step('002-b', 'CREATE TABLE b ()', statement),
    ];
    await expect(migrateBy(client, steps('CREATE TABLE a ()'))).rejects.toMatchObject({ code: 'storage_failed' });
    expect(await tablesOf(client)).toEqual(['a', 'toolwright_migrations']);
    expect(await migrateBy(client, steps('CREATE TABLE c ()'))).toEqual({ applied: ['002-b'] });
    expect(await tablesOf(client)).toEqual(['a', 'b', 'c', 'toolwright_migrations']);
  });
}

function step(name: string, ...statements: readonly string[]) {
  return { name, statements };
}

async function tablesOf(client: SqlClient): Promise<unknown[]> {
  const { rows } = await client.query(
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema() ORDER BY name',
  );
  return rows.map(({ name }) => name);
}
