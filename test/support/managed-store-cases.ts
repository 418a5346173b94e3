import {
  aesGcmBox,
  type CustomToolDefinition,
  changeBus,
  managedStores,
  migrate,
  type SqlClient,
} from 'toolwright/managed';
import { fakeTimers, managedStoresConformance } from 'toolwright/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { publishChange } from '../../src/managed/database/change-bus.js';
import { isolationHolds } from './isolation.js';
import { ownStoreTests } from './own-store-cases.js';
import { runs } from './runs.js';

const scope = { caller: { sessionId: 's' }, signal: new AbortController().signal };
const result = { callId: 'call', name: 'T', ok: true, output: 'fine', durationMs: 1 } as const;
const box = aesGcmBox({ keys: { first: new Uint8Array(32).fill(1) }, current: 'first' });
const secret = 'hunter2-token-of-a-service';
const tool: CustomToolDefinition = {
  name: 'lookup',
  description: 'Looks it up.',
  parameters: { type: 'object', properties: { b: { type: 'string' }, a: { type: 'string' } } },
  command: 'echo {{.b}}',
  env: { TOKEN: secret },
};

/**
 * Cases for stores of a database with empty tables. Creating the tables again takes longer than most tests, so they are
 * emptied. Returns the function that empties them.
 */
export function managedStoreTests(emptyDatabase: () => Promise<SqlClient>): () => Promise<SqlClient> {
  let shared: SqlClient;
  let names: readonly string[];
  beforeAll(async () => {
    shared = await emptyDatabase();
    await migrate(shared);
    const { rows } = await shared.query(
      `SELECT table_name AS name FROM information_schema.tables
      WHERE table_schema = current_schema() AND table_name <> 'toolwright_migrations'`,
    );
    names = rows.map(({ name }) => String(name));
  });
  const emptyTables = async () => {
    for (const name of names) await shared.query(`DELETE FROM ${name}`);
    return shared;
  };

  test.each(managedStoresConformance)('$name', ({ run }) =>
    run(async () => ({ stores: managedStores(await emptyTables(), { box }) })),
  );
  ownStoreTests(async () => managedStores(await emptyTables(), { box }));

  test('changes of one transaction take effect together, with their audit entry', async () => {
    const stores = managedStores(await emptyTables(), { box });
    const entry = { actor: 'ann', action: 'custom_tool.create', object: 'a' };
    const changing = (isKept: boolean) =>
      stores.transaction(async ({ customTools, mcp, audit }) => {
        await customTools.put(tool, { expected: null });
        await mcp.putServer({ name: 'notes', config: { command: 'x' } });
        await audit.append(entry);
        if (!isKept) throw new Error('no');
      });
    const kept = async () => [
      (await stores.customTools.list({})).length,
      (await stores.mcp.listServers()).length,
      (await stores.audit.list()).length,
    ];
    await expect(changing(false)).rejects.toThrow('no');
    expect([await kept(), await stores.customTools.version()]).toEqual([[0, 0, 0], '0']);
    await changing(true);
    expect([await kept(), await stores.customTools.version()]).toEqual([[1, 1, 1], '1']);
    await expect(changing(true)).rejects.toMatchObject({ code: 'file_changed' });
    expect(await kept()).toEqual([1, 1, 1]);
  });

  test('a name that another client takes at the same moment is a conflict, not a failure', async () => {
    const client = await emptyTables();
    const text = 'INSERT INTO mcp_servers (name, config) VALUES ($1, $2)';
    await client.query(text, ['notes', '{}']);
    await expect(client.query(text, ['notes', '{}'])).rejects.toMatchObject({ code: 'file_changed' });
  });

  describe('suspensions', () => {
    test('a call with an expired lease is claimed, and its late result is kept', async () => {
      const client = await emptyTables();
      const { suspensions } = managedStores(client);
      const other = managedStores(client).suspensions;
      expect(await suspensions.claim('turn', 'call', scope)).toBe('new');
      await client.query(`UPDATE suspensions SET held_until = now() - interval '1 second'`);
      expect(await other.claim('turn', 'call', scope)).toBe('claimed');
      await suspensions.settle('turn', 'call', result, scope);
      expect(await other.claim('turn', 'call', scope)).toEqual(result);
    });

    test('the lease of a running call is renewed until it settles', async () => {
      const client = await emptyTables();
      const timers = fakeTimers();
      const { suspensions } = managedStores(client, {}, timers);
      for (const call of ['runs', 'settles']) await suspensions.claim('turn', call, scope);
      await suspensions.settle('turn', 'settles', result, scope);
      await client.query(`UPDATE suspensions SET held_until = now() + interval '1 second'`);
      expect(timers.waits).toEqual([10_000]);
      await timers.advance(10_000);
      await expect
        .poll(async () => {
          const text = `SELECT call_id FROM suspensions WHERE held_until > now() + interval '20 seconds'`;
          return (await client.query(text)).rows;
        })
        .toEqual([{ call_id: 'runs' }]);
      await suspensions.settle('turn', 'runs', result, scope);
      await expect.poll(() => timers.pending).toBe(1);
      await timers.advance(10_000);
      expect(timers.pending).toBe(0);
    });

    test('waiting for a call ends when it is aborted', async () => {
      const { suspensions } = managedStores(await emptyTables());
      await suspensions.claim('turn', 'call', scope);
      expect(await suspensions.claim('turn', 'call', { ...scope, signal: AbortSignal.abort() })).toBe('claimed');
    });

    test('a turn that is more than a week old is removed', async () => {
      const client = await emptyTables();
      const { suspensions } = managedStores(client);
      await suspensions.claim('turn', 'call', scope);
      await client.query(`UPDATE suspensions SET created_at = now() - interval '8 days'`);
      expect(await suspensions.claim('other', 'call', scope)).toBe('new');
      expect(await suspensions.claim('turn', 'call', scope)).toBe('new');
    });
  });

  test('the oldest dead letters are dropped beyond a thousand', async () => {
    const client = await emptyTables();
    const { deadLetters } = managedStores(client);
    await client.query(
      `INSERT INTO dead_letters (letter_id, letter) SELECT n::text, json_build_object('id', n::text)
      FROM generate_series(1, 1000) AS n`,
    );
    const error = { code: 'timeout', message: 'late' } as const;
    await deadLetters.add({ id: 'new', call: { id: 'c', name: 'T', input: {} }, error, attempts: 1, at: '' }, scope);
    const ids = (await deadLetters.list()).map(({ id }) => id);
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([1_000, '2', 'new']);
  });

  test('names that a database would treat as equal are rejected', async () => {
    const { memory } = managedStores(await emptyTables());
    for (const agentId of ['\ud800', 'a\0'])
      await expect(memory.put({ agentId, userId: undefined }, 'a', Buffer.of())).rejects.toMatchObject({
        code: 'storage_failed',
      });
  });

  test('secrets of custom tools are encrypted, and can be decrypted only in their own row', async () => {
    const client = await emptyTables();
    const { customTools } = managedStores(client, { box });
    const { id } = await customTools.put(tool);
    const other = await customTools.put({ ...tool, name: 'other', env: { TOKEN: 'another' } });
    const { rows } = await client.query('SELECT custom_tools::text AS row FROM custom_tools');
    expect(JSON.stringify(rows)).not.toMatch(/hunter2|TOKEN/);
    await client.query(
      'UPDATE custom_tools SET sealed_env = (SELECT sealed_env FROM custom_tools WHERE id = $1) WHERE id = $2',
      [id, other.id],
    );
    const closed = { definition: { enabled: false }, problem: expect.stringContaining('cannot be decrypted') };
    expect(await customTools.get(other.id)).toMatchObject(closed);
    expect((await customTools.get(other.id))?.definition).not.toHaveProperty('env');
    expect(await customTools.get(id)).toMatchObject({ definition: { enabled: true, env: { TOKEN: secret } } });
    expect(await customTools.list({})).toMatchObject([{ definition: { name: 'lookup', enabled: true } }, closed]);
    const withoutBox = managedStores(client).customTools;
    await expect(withoutBox.put(tool)).rejects.toMatchObject({
      ...{ code: 'not_configured', message: expect.stringContaining('aesGcmBox') },
    });
    expect(await withoutBox.get(id)).toMatchObject({ ...closed, problem: expect.stringContaining('no box') });
  });

  test('secrets of MCP servers and grants are encrypted, and can be decrypted only in their own row', async () => {
    const client = await emptyTables();
    const { mcp } = managedStores(client, { box });
    const config = { command: 'x', env: { TOKEN: secret } };
    const configOverrides = { headers: { authorization: `Bearer ${secret}` }, args: ['a'] };
    const [one, two] = [await mcp.putServer({ name: 'one', config }), await mcp.putServer({ name: 'two', config })];
    for (const agent of ['a', 'b']) await mcp.grantAgent(one.id, agent, { configOverrides });
    const { rows } = await client.query(
      'SELECT s::text AS row, g::text AS grant FROM mcp_servers s LEFT JOIN mcp_agent_grants g ON g.server_id = s.id',
    );
    expect(rows).toHaveLength(3);
    expect(JSON.stringify(rows)).not.toMatch(/hunter2|TOKEN|authorization/);
    const whole = { name: 'one', config: { ...config, ...configOverrides }, overrides: configOverrides };
    expect(await mcp.listAccessible('a', undefined)).toMatchObject([whole]);
    await client.query(
      'UPDATE mcp_servers SET sealed_secrets = (SELECT sealed_secrets FROM mcp_servers WHERE id = $1)',
      [one.id],
    );
    const grant = 'SELECT config_overrides FROM mcp_agent_grants WHERE agent_id';
    await client.query(`UPDATE mcp_agent_grants SET config_overrides = (${grant} = 'a')`);
    const closed = { problem: expect.stringContaining('cannot be decrypted') };
    expect(await mcp.getServer(two.id)).toMatchObject({ ...closed, definition: { config: { command: 'x' } } });
    expect((await mcp.getServer(two.id))?.definition.config).toEqual({ command: 'x' });
    expect(await mcp.listAccessible('a', undefined)).toMatchObject([whole]);
    expect(await mcp.listAccessible('b', undefined)).toMatchObject([{ ...closed, overrides: { args: ['a'] } }]);
    const [ofA, ofB] = (await mcp.listGrants(one.id, 'agent')).toSorted((left, right) =>
      left.subject < right.subject ? -1 : 1,
    );
    expect([ofA?.problem, ofB]).toEqual([undefined, expect.objectContaining(closed)]);
    const boxless = managedStores(client).mcp;
    expect(await boxless.getServer(one.id)).toMatchObject({ problem: expect.stringContaining('no box') });
    await expect(boxless.putServer({ name: 'three', config })).rejects.toMatchObject({ code: 'not_configured' });
    await expect(boxless.grantAgent(one.id, 'c', { configOverrides })).rejects.toMatchObject({
      code: 'not_configured',
    });
    expect([await boxless.listServers(), await boxless.listGrants(one.id, 'agent')].map((list) => list.length)).toEqual(
      [2, 2],
    );
  });

  test('a decision and its notification take effect together', async () => {
    const client = await emptyTables();
    const { mcp } = managedStores(client);
    const { id: server } = await mcp.putServer({ name: 'one', config: { command: 'x' } });
    const { id } = await mcp.createRequest({ server, scope: 'user', subject: 'ann', requestedBy: 'ann' });
    // The notification, the last step of the transaction, fails.
    await client.query('ALTER TABLE change_counts RENAME TO gone');
    try {
      await expect(mcp.reviewRequest(id, 'approve', { by: 'admin' })).rejects.toMatchObject({ code: 'storage_failed' });
    } finally {
      await client.query('ALTER TABLE gone RENAME TO change_counts');
    }
    expect((await mcp.getRequest(id))?.status).toBe('pending');
    expect(await mcp.listAccessible(undefined, 'ann')).toEqual([]);
  });

  test("agents and users of one toolkit do not see each other's data during concurrent writes", async () => {
    const client = await emptyTables();
    await isolationHolds({ stores: managedStores(client, { box }), bus: changeBus(client) }, runs(30));
  });

  describe('changeBus', () => {
    test('a change is reported once to the listeners of its channel', async () => {
      const client = await emptyTables();
      const { publish, subscribe } = changeBus(client);
      await publish('cache:a');
      const told: string[] = [];
      const stops = await Promise.all([
        subscribe('cache:a', () => {
          told.push('a');
          throw new Error('a listener that fails');
        }),
        subscribe('cache:b', () => told.push('b')),
      ]);
      await publish('cache:a');
      await expect.poll(() => told).toEqual(['a']);
      await publish('cache:b');
      await expect.poll(() => told).toEqual(['a', 'b']);
      await stops[0]();
      for (const channel of ['cache:a', 'cache:b']) await publish(channel);
      await expect.poll(() => told).toEqual(['a', 'b', 'b']);
      await stops[1]();
    });

    test('a change that is rolled back is not reported', async () => {
      const client = await emptyTables();
      const bus = changeBus(client);
      const told: string[] = [];
      const stop = await bus.subscribe('cache:a', () => told.push('a'));
      const undone = client.transaction(async (queries) => {
        await publishChange(queries, 'cache:a');
        throw new Error('undone');
      });
      await expect(undone).rejects.toThrow('undone');
      expect(told).toEqual([]);
      await bus.publish('cache:a');
      await expect.poll(() => told).toEqual(['a']);
      await stop();
    });

    test('a subscription while the database is down is rejected', async () => {
      const listen = () => Promise.reject(new Error('away'));
      const bus = changeBus({ ...(await emptyTables()), listen });
      await expect(bus.subscribe('a', () => {})).rejects.toThrow('away');
    });
  });

  return emptyTables;
}
