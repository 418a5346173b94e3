import { strict as assert } from 'node:assert';
import { randomUUID } from 'node:crypto';
import type { SqlClient } from '../ports/sql-client.js';
import { refuses } from './file-system-trial.js';
import { conformanceKit, type Disposable, same, within } from './kit.js';

/** A database client. The cases create and drop their own tables. */
export interface SqlClientSubject extends Disposable {
  readonly client: SqlClient;
}

/** The requirements of managed mode for a database client. */
export const sqlClientConformance = conformanceKit<SqlClientSubject>({
  'values of all types are read back unchanged': async ({ client }) => {
    const when = new Date('2026-01-02T03:04:05.678Z');
    const { rows } = await client.query(
      `SELECT $1::text AS text, $2::int AS number, $3::boolean AS flag, $4::bytea AS bytes, $5::timestamptz AS time,
        $6::json AS json, $7::jsonb AS list, $8::text[] AS texts, $9::text AS nothing`,
      [`'"\\ \u{1f680}`, 7, false, Uint8Array.of(0, 255), when, '{"a":"\\u0000"}', '[1]', ['a,b', '"'], undefined],
    );
    const [{ bytes, time, ...rest } = {}] = rows;
    assert.ok(bytes instanceof Uint8Array && time instanceof Date);
    same([[...bytes], time.getTime()], [[0, 255], when.getTime()]);
    const texts = { text: `'"\\ \u{1f680}`, texts: ['a,b', '"'] };
    same({ ...rest }, { ...texts, number: 7, flag: false, json: { a: '\0' }, list: [1], nothing: null });
  },
  'a failed statement rejects with storage_failed': async ({ client }) => {
    await refuses(client.query('SELECT * FROM no_such_table'), 'storage_failed');
    await refuses(client.query('SELECT $1::int', ['x']), 'storage_failed');
    await refuses(
      client.transaction(async ({ query }) => await query('SELECT 1 / 0')),
      'storage_failed',
    );
    assert.equal((await client.query('SELECT 1 AS one')).rows[0]?.one, 1);
  },
  'a transaction takes effect whole or not at all': async ({ client }) => {
    await withTable(client, async (table, kept) => {
      const add = `INSERT INTO ${table} VALUES ($1)`;
      const answer = await client.transaction(async ({ query }) => {
        for (const value of ['a', 'b']) await query(add, [value]);
        return 'done';
      });
      same([answer, await kept()], ['done', ['a', 'b']]);
      const own = new Error('changed its mind');
      await assert.rejects(
        client.transaction(async ({ query }) => {
          await query(add, ['c']);
          throw own;
        }),
        (thrown) => thrown === own,
      );
      same(await kept(), ['a', 'b']);
    });
  },
  'a transaction with a failed statement rejects, even if that error was caught': async ({ client }) => {
    await withTable(client, async (table, kept) => {
      const swallowed = client.transaction(async ({ query }) => {
        await query(`INSERT INTO ${table} VALUES ('a')`);
        await query('SELECT 1 / 0').catch(() => {});
      });
      await refuses(swallowed, 'storage_failed');
      same(await kept(), []);
    });
  },
  'a listener gets notifications with their payload until it is removed': async ({ client }) => {
    const channel = `Cache:"${randomUUID().slice(0, 8)}"`;
    const payloads: string[] = [];
    let wake = () => {};
    const next = async (payload: string) => {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      await client.query('SELECT pg_notify($1, $2)', [channel, payload]);
      await within(woken, 'a notification must come');
    };
    const stopFirst = await client.listen(channel, (payload) => {
      payloads.push(payload);
      throw new Error('a listener that fails');
    });
    const stopSecond = await client.listen(channel, () => wake());
    await next('one');
    await client.query('SELECT pg_notify($1, $2)', [channel.toLowerCase(), 'of another channel']);
    await stopFirst();
    await next('two');
    await stopSecond();
    same(payloads, ['one']);
    await assert.rejects(
      client.listen('x'.repeat(64), () => {}),
      TypeError,
    );
  },
});

async function withTable(
  client: SqlClient,
  work: (table: string, kept: () => Promise<unknown[]>) => Promise<void>,
): Promise<void> {
  const table = `toolwright_conformance_${randomUUID().replaceAll('-', '')}`;
  await client.query(`CREATE TABLE ${table} (value text)`);
  try {
    await work(table, async () => {
      const { rows } = await client.query(`SELECT value FROM ${table} ORDER BY value`);
      return rows.map(({ value }) => value);
    });
  } finally {
    await client.query(`DROP TABLE ${table}`);
  }
}
