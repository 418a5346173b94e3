import { fromPg, loadForAgent, managedStores, memoryStores, migrate } from 'toolwright/managed';
import { scriptedMcpServer } from 'toolwright/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createToolkit } from '../../src/index.js';
import { McpManager } from '../../src/mcp.js';
import { killedReviews } from '../support/killed-reviews.js';
import { hostileServer, newMark, processesOf } from '../support/mcp-world.js';
import { emptySchema, hasPostgres } from '../support/postgres.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

type Granted = Awaited<ReturnType<typeof loadForAgent>>['servers'];

test('two agents and two users of one toolkit have the tools that both grants allow', async () => {
  const stores = memoryStores();
  const granted = new Map<string, Granted>();
  const keyOf = (agentId?: string, userId?: string) => JSON.stringify([agentId, userId]);
  const manager = new McpManager({ grantsFor: ({ agentId, userId }) => granted.get(keyOf(agentId, userId)) ?? {} });
  onTestFinished(() => manager.dispose());
  const tools = ['read', 'write', 'drop'].map((name) => ({ name }));
  const { id: server } = await stores.mcp.putServer({ name: 'notes', config: scriptedMcpServer({ tools }).config });
  await stores.mcp.grantAgent(server, 'one', { toolDeny: ['drop'] });
  await stores.mcp.grantUser(server, 'ann', { toolAllow: ['read', 'drop'] });
  await using toolkit = createToolkit({
    ...{ root: temporaryFolder(), permissions: 'bypassPermissions', hosts: { mcp: manager } },
    async registryFor(registry, { caller: { agentId, userId } }) {
      granted.set(keyOf(agentId, userId), (await loadForAgent({ stores, manager }, agentId, userId)).servers);
      return registry;
    },
  });
  const toolsOf = async (agentId: string, userId: string) => {
    const definitions = await toolkit.definitionsFor({ sessionId: agentId + userId, agentId, userId });
    return definitions.map(({ name }) => name).filter((name) => name.startsWith('mcp__'));
  };
  const all = async () => [
    ...[await toolsOf('one', 'ann'), await toolsOf('one', 'bob')],
    ...[await toolsOf('two', 'ann'), await toolsOf('two', 'bob')],
  ];
  expect(await all()).toEqual([['mcp__notes__read'], [], [], []]);
  const { id } = await stores.mcp.createRequest({ server, scope: 'user', subject: 'bob', requestedBy: 'bob' });
  expect(await toolsOf('one', 'bob')).toEqual([]);
  await stores.mcp.reviewRequest(id, 'approve', { by: 'admin' });
  expect(await all()).toEqual([['mcp__notes__read'], ['mcp__notes__read', 'mcp__notes__write'], [], []]);
  const call = (userId: string) => ({ caller: { sessionId: userId, agentId: 'one', userId } });
  expect(await toolkit.call('mcp__notes__write', {}, call('bob'))).toMatchObject({ ok: true });
  expect(await toolkit.call('mcp__notes__write', {}, call('ann'))).toMatchObject({ error: { code: 'not_allowed' } });
  await stores.mcp.revokeUser(server, 'bob');
  expect(await toolsOf('one', 'bob')).toEqual([]);
  expect(await toolkit.call('mcp__notes__write', {}, call('bob'))).toMatchObject({ error: { code: 'not_allowed' } });
});

test('equal configs share a process, which ends with the last grant', async () => {
  const stores = memoryStores();
  const manager = new McpManager();
  onTestFinished(() => manager.dispose());
  const mark = newMark();
  const { id } = await stores.mcp.putServer({ name: 'notes', config: { ...hostileServer('good', '', mark) } });
  const override = { configOverrides: { env: { REGION: 'north' } } };
  for (const [agent, grant] of [
    ['one', {}],
    ['two', {}],
    ['three', override],
    ['four', override],
  ] as const)
    await stores.mcp.grantAgent(id, agent, grant);
  const load = (agent: string) => loadForAgent({ stores, manager }, agent, undefined);
  const loaded = await Promise.all(['one', 'two', 'three', 'four', 'one', 'three'].map(load));
  expect(loaded.flatMap(({ problems }) => problems)).toEqual([]);
  expect(processesOf(mark)).toHaveLength(2);
  await stores.mcp.removeServer(id);
  await load('one');
  await until(() => processesOf(mark).length === 0);
});

describe.runIf(await hasPostgres())('on PostgreSQL', () => {
  test('a request and its grant agree when the connection ends at any moment', async () => {
    await killedReviews(12);
  });

  test('one of a hundred simultaneous reviews decides, and its decision is granted', async () => {
    const schema = await emptySchema();
    const stores = Array.from({ length: 4 }, () => managedStores(fromPg(schema.pool({ max: 5 }))).mcp);
    await migrate(fromPg(schema.pool()));
    const [mcp = memoryStores().mcp] = stores;
    const { id: server } = await mcp.putServer({ name: 'notes', config: { command: 'x' } });
    const { id } = await mcp.createRequest({ server, scope: 'agent', subject: 'one', requestedBy: 'ann' });
    const removed = await mcp.createRequest({ server, scope: 'user', subject: 'bob', requestedBy: 'bob' });
    const reviews = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        stores[at % 4]?.reviewRequest(id, at % 3 === 0 ? 'approve' : 'reject', { by: `admin ${at}` }),
      ),
    );
    expect(new Set(reviews.map((review) => JSON.stringify(review))).size).toBe(1);
    const isApproved = reviews[0]?.status === 'approved';
    expect(await mcp.listAccessible('one', undefined)).toHaveLength(isApproved ? 1 : 0);
    // One transaction decides while another removes the server: they do not deadlock.
    const [, isGone] = await Promise.all([
      mcp.reviewRequest(removed.id, 'approve', { by: 'admin' }).catch(() => {}),
      stores[1]?.removeServer(server),
    ]);
    expect([isGone, await mcp.listAccessible(undefined, 'bob')]).toEqual([true, []]);
  });
});
