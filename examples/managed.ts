/**
 * An installation with two agents and two users over one database, here PGlite in memory: searchable memory, a custom
 * tool that is added at run time, and an MCP server that a user requests and an administrator approves.
 *
 * npx tsx examples/managed.ts   needs no network, no key and no database server
 */
import { deepStrictEqual, ok } from 'node:assert/strict';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { createToolkit, type ToolkitOptions } from 'toolwright';
import {
  aesGcmBox,
  changeBus,
  customTools,
  fromPglite,
  type LoadedMcpServers,
  loadForAgent,
  managedFiles,
  managedStores,
  memoryIndex,
  memoryTools,
  migrate,
} from 'toolwright/managed';
import { McpManager } from 'toolwright/mcp';

const root = await realpath(await mkdtemp(join(tmpdir(), 'toolwright-managed-')));
const client = fromPglite(await PGlite.create());
await migrate(client);
// A real installation reads the key from its secret store.
const box = aesGcmBox({ keys: { first: crypto.getRandomValues(new Uint8Array(32)) }, current: 'first' });
const stores = managedStores(client, { box });
const index = memoryIndex({ client });
const tools = customTools({ store: stores.customTools, bus: changeBus(client) });
const granted = new Map<string, LoadedMcpServers['servers']>();
const keyOf = (agentId = '', userId = '') => JSON.stringify([agentId, userId]);
const mcp = new McpManager({
  grantsFor: ({ agentId, userId }) => granted.get(keyOf(agentId, userId)) ?? {},
});

const registryFor: ToolkitOptions['registryFor'] = async (registry, scope, toolkit) => {
  const { agentId, userId } = scope.caller;
  granted.set(keyOf(agentId, userId), (await loadForAgent({ stores, manager: mcp }, agentId, userId)).servers);
  return await tools.registryFor(registry, scope, toolkit);
};
const toolkit = createToolkit({
  root,
  hosts: { mcp, todos: stores.todos, config: stores.config, suspensions: stores.suspensions },
  permissions: 'bypassPermissions',
  mounts: managedFiles({ stores, kindOf: (agentId) => (agentId === 'helper' ? 'open' : 'predefined'), index }),
  registryFor,
});
toolkit.registry.register(...memoryTools(index));

const ann = { sessionId: 's1', agentId: 'helper', userId: 'ann' };
const bob = { sessionId: 's2', agentId: 'helper', userId: 'bob' };
const clerk = { sessionId: 's3', agentId: 'clerk', userId: 'ann' };
const call = async (name: string, input: object, caller: typeof ann) => {
  const { output } = await toolkit.call(name, input, { caller });
  console.log(`${caller.agentId} for ${caller.userId}: ${name}\n${output.replaceAll(/^/gm, '  ')}`);
  return output;
};
const namesFor = async (caller: typeof ann) => (await toolkit.definitionsFor(caller)).map(({ name }) => name);

try {
  // Memory of one user is not found by other users.
  await call('Write', { file_path: `${root}/memory/tea.md`, content: '# Drinks\n\nAnn prefers green tea.\n' }, ann);
  ok((await call('memory_search', { query: 'what does she like to drink' }, ann)).includes('green tea'));
  for (const caller of [bob, clerk])
    ok((await call('memory_search', { query: 'green tea' }, caller)).startsWith('Nothing'));

  // A tool of one agent. Its secret is encrypted in the database and scrubbed from its output.
  await stores.customTools.put({
    name: 'greet',
    description: 'Greet somebody.',
    parameters: { type: 'object', properties: { who: { type: 'string' } }, required: ['who'] },
    command: 'echo Hello {{.who}}, the key is $GREETING_KEY',
    env: { GREETING_KEY: ['very', 'private', '42'].join('-') },
    agent_id: 'helper',
  });
  const greeting = await call('greet', { who: "Ann; echo 'and more'" }, ann);
  deepStrictEqual(greeting.trim(), "Hello Ann; echo 'and more', the key is [REDACTED]");
  ok(!(await namesFor(clerk)).includes('greet'));

  // The agent may use a server, the user requests some of its tools, and an administrator decides.
  const program = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-memory/dist/index.js'));
  const config = { command: process.execPath, args: [program], env: { MEMORY_FILE_PATH: join(root, 'graph.jsonl') } };
  const { id: server } = await stores.mcp.putServer({ name: 'graph', config });
  await stores.mcp.grantAgent(server, 'helper', {});
  const asked = { server, scope: 'user', subject: 'ann', toolAllow: ['read_graph'], requestedBy: 'ann' } as const;
  const request = await stores.mcp.createRequest(asked);
  const ofMcp = async (caller: typeof ann) => (await namesFor(caller)).filter((name) => name.startsWith('mcp__'));
  deepStrictEqual(await ofMcp(ann), []);
  await stores.mcp.reviewRequest(request.id, 'approve', { by: 'admin', note: 'reading only' });
  deepStrictEqual(await ofMcp(ann), ['mcp__graph__read_graph']);
  deepStrictEqual([...(await ofMcp(bob)), ...(await ofMcp(clerk))], []);
  ok((await call('mcp__graph__read_graph', {}, ann)).includes('entities'));
} finally {
  await toolkit.dispose();
  await mcp.dispose();
  await tools[Symbol.asyncDispose]();
  await rm(root, { recursive: true });
}
