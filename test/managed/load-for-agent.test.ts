import { aesGcmBox, fromPglite, loadForAgent, managedStores, memoryStores } from 'toolwright/managed';
import { expect, onTestFinished, test } from 'vitest';
import { systemTimers } from '../../src/core/support/timers.js';
import { McpManager } from '../../src/mcp.js';
import { emptyPglite } from '../support/pglite.js';

// Names a variable that is not set, so that no server starts.
const unset = (name: string) => `\${${name}}`;
const config = { command: unset('TEST_NO_SUCH_PROGRAM') };

/** A manager whose servers fail at once. */
function world() {
  const manager = new McpManager();
  onTestFinished(() => manager.dispose());
  const names = () => manager.servers().map(({ name }) => name);
  return { manager, names };
}

test('granted servers start once for equal configs, and end after the last grant', async () => {
  const stores = memoryStores();
  const { manager, names } = world();
  const { id } = await stores.mcp.putServer({ name: 'notes', config });
  const other = { configOverrides: { args: ['b'], env: { B: '2', A: '1' } } };
  const again = { configOverrides: { env: { A: '1', B: '2' }, args: ['b'] } };
  for (const [agent, grant] of [
    ['one', {}],
    ['two', other],
    ['three', again],
  ] as const)
    await stores.mcp.grantAgent(id, agent, grant);
  const load = (agent: string) => loadForAgent({ stores, manager }, agent, undefined);
  const loaded = await Promise.all([load('one'), load('one'), load('two'), load('three')]);
  const [plain, variant = ''] = names();
  expect(names()).toHaveLength(2);
  expect(plain).toBe('notes');
  expect(variant).toMatch(/^notes-[0-9a-f]{8}$/);
  expect(loaded.map(({ servers }) => Object.keys(servers))).toEqual([['notes'], ['notes'], [variant], [variant]]);
  expect(loaded[0]?.problems).toEqual([{ server: 'notes', reason: expect.stringContaining('TEST_NO_SUCH_PROGRAM') }]);

  await stores.mcp.revokeAgent(id, 'two');
  expect((await load('two')).servers).toEqual({});
  expect(names()).toEqual(['notes', variant]);
  await stores.mcp.revokeAgent(id, 'three');
  await load('one');
  expect(names()).toEqual(['notes']);
  await stores.mcp.putServer({ name: 'notes', config, enabled: false });
  expect(await load('one')).toEqual({ servers: {}, problems: [] });
  expect(names()).toEqual([]);
});

test('a server without any enabled grant ends, while the store keeps it', async () => {
  const stores = memoryStores();
  const { manager, names } = world();
  const { id } = await stores.mcp.putServer({ name: 'notes', config });
  const load = () => loadForAgent({ stores, manager }, 'one', undefined);
  await stores.mcp.grantAgent(id, 'one');
  await stores.mcp.grantUser(id, 'ann');
  await load();
  await stores.mcp.revokeAgent(id, 'one');
  await load();
  expect(names()).toEqual(['notes']);
  await stores.mcp.grantUser(id, 'ann', { enabled: false });
  await load();
  expect(names()).toEqual([]);
  await stores.mcp.grantAgent(id, 'one', { configOverrides: { args: ['b'] } });
  await load();
  expect(names()).toEqual([expect.stringMatching(/^notes-/)]);
});

test('a server that does not end delays no caller', async () => {
  const stores = memoryStores();
  const { manager } = world();
  const load = () => loadForAgent({ stores, manager }, 'one', undefined);
  const { id } = await stores.mcp.putServer({ name: 'notes', config });
  await stores.mcp.grantAgent(id, 'one');
  await load();
  manager.remove = () => new Promise(() => {});
  await stores.mcp.removeServer(id);
  await stores.mcp.grantAgent((await stores.mcp.putServer({ name: 'mail', config })).id, 'one');
  expect(Object.keys((await load()).servers)).toEqual(['mail']);
});

test('a server with a changed config replaces the running one', async () => {
  const stores = memoryStores();
  const { manager } = world();
  const { id } = await stores.mcp.putServer({ name: 'notes', config });
  await stores.mcp.grantAgent(id, 'one');
  const load = async () => (await loadForAgent({ stores, manager }, 'one', undefined)).problems[0]?.reason;
  expect(await load()).toContain('TEST_NO_SUCH_PROGRAM');
  await stores.mcp.putServer({ name: 'notes', config: { command: unset('TEST_NO_SUCH_OTHER') } });
  expect(await load()).toContain('TEST_NO_SUCH_OTHER');
});

test('servers of the program itself are not affected', async () => {
  const stores = memoryStores();
  const { manager, names } = world();
  await manager.add('own', config);
  const { id } = await stores.mcp.putServer({ name: 'notes', config });
  await stores.mcp.grantAgent(id, 'one');
  const { id: taken } = await stores.mcp.putServer({ name: 'own', config: { command: 'another' } });
  await stores.mcp.grantAgent(taken, 'one');
  const { servers, problems } = await loadForAgent({ stores, manager }, 'one', undefined);
  expect(Object.keys(servers)).toEqual(['notes']);
  expect(problems).toContainEqual({ server: 'own', reason: expect.stringContaining('already has a server own') });
  await stores.mcp.removeServer(id);
  await loadForAgent({ stores, manager }, 'one', undefined);
  expect(names()).toEqual(['own']);
});

test('a tool must pass the filters of both grants, and callers do not share grants', async () => {
  const stores = memoryStores();
  const granted = new Map<string, Awaited<ReturnType<typeof loadForAgent>>['servers']>();
  const manager = new McpManager({ grantsFor: ({ agentId, userId }) => granted.get(`${agentId} ${userId}`) ?? {} });
  onTestFinished(() => manager.dispose());
  const { id: server } = await stores.mcp.putServer({ name: 'notes', config });
  await stores.mcp.grantAgent(server, 'one', { toolAllow: ['get_*', 'list'], toolDeny: ['get_keys'] });
  await stores.mcp.grantUser(server, 'ann', { toolAllow: ['*_user', 'get_keys', 'list', 'put'], toolDeny: ['list'] });
  for (const user of ['ann', 'bob'])
    granted.set(`one ${user}`, (await loadForAgent({ stores, manager }, 'one', user)).servers);
  const may = (tool: string, userId: string) =>
    manager.isGranted({ server: 'notes', tool }, { sessionId: 's', agentId: 'one', userId });
  const tools = ['get_user', 'get_keys', 'list', 'put', 'get_all', 'put_user'];
  expect(tools.filter((tool) => may(tool, 'ann'))).toEqual(['get_user']);
  expect(tools.filter((tool) => may(tool, 'bob'))).toEqual([]);
});

test('nothing is granted if the database is down or secrets cannot be decrypted', async () => {
  const { manager, names } = world();
  const client = fromPglite(await emptyPglite());
  const down = await loadForAgent({ stores: managedStores(client), manager }, 'one', 'ann');
  expect(down).toEqual({
    servers: {},
    problems: [{ server: '*', reason: expect.stringContaining('database failed') }],
  });
  const box = aesGcmBox({ keys: { a: new Uint8Array(32) }, current: 'a' });
  let isOpen = true;
  const closing = {
    ...box,
    open: (text: string, place: string) => (isOpen ? box.open(text, place) : box.open('', place)),
  };
  const stores = memoryStores({ box: closing });
  const { id } = await stores.mcp.putServer({ name: 'notes', config: { ...config, env: { TOKEN: 'secret' } } });
  await stores.mcp.grantAgent(id, 'one');
  isOpen = false;
  const closed = await loadForAgent({ stores, manager }, 'one', undefined);
  expect(closed).toEqual({
    servers: {},
    problems: [{ server: 'notes', reason: expect.stringContaining('cannot be decrypted') }],
  });
  expect(names()).toEqual([]);
});

test('a store that hangs grants nothing, also after earlier grants', async () => {
  const stores = memoryStores();
  const { manager } = world();
  const { id } = await stores.mcp.putServer({ name: 'notes', config });
  await stores.mcp.grantAgent(id, 'one');
  expect(Object.keys((await loadForAgent({ stores, manager }, 'one', undefined)).servers)).toEqual(['notes']);
  const due: (() => void)[] = [];
  const timers = { ...systemTimers, set: (callback: () => void) => due.push(callback), clear: () => {} };
  const hanging = { mcp: { ...stores.mcp, version: () => new Promise<string>(() => {}) } };
  const loading = loadForAgent({ stores: hanging, manager, timers }, 'one', undefined);
  for (const fire of due) fire();
  expect(await loading).toEqual({
    servers: {},
    problems: [{ server: '*', reason: expect.stringContaining('did not answer within 5000 ms') }],
  });
});
