// A call of a tool of an MCP server: by our client against the client of the SDK, in memory and over standard input and
// output, one at a time and 50 at a time. Usage: npm run bench -- mcp
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpManager } from '../src/mcp.js';
import type { McpClient } from '../src/ports/mcp-client.js';
import { mcpTool } from '../src/tools/mcp/server-tool.js';
import { alternate, report } from './alternate.js';
import { echo, echoServer } from './echo-server.js';
import { expect } from './workspace.js';

const callsARound = 500;
const atOnce = 50;
const rounds = 21;
const text = 'const value = compute(index, total);';
const program = {
  command: process.execPath,
  args: ['--import', 'tsx', fileURLToPath(new URL('echo-server.ts', import.meta.url)), '--stdio'],
};
/** Each call has its own signal, as in a turn. */
const contextOf = () => ({
  callId: 'call_1',
  caller: { sessionId: 'bench' },
  signal: new AbortController().signal,
  hasListener: false,
  metadata: () => {},
});

type Call = () => Promise<void>;

/** The client of the SDK alone, with calls that can be cancelled. */
function bare(client: Client): Call {
  return async () => {
    const { content } = await client.callTool({ name: 'echo', arguments: { text } }, undefined, {
      signal: new AbortController().signal,
    });
    expect(JSON.stringify(content).includes(text), 'the answer of the bare client');
  };
}

/** A tool of this package over a client. */
function wrapped(client: Pick<McpClient, 'callTool' | 'servers'>): Call {
  const { name: tool, inputSchema } = echo;
  const made = mcpTool({ server: 'echo', tool, inputSchema, client });
  return async () =>
    expect((await made.execute({ text }, contextOf())).output.includes(text), 'the answer of our tool');
}

const oneByOne = (call: Call) => async () => {
  for (let count = 0; count < callsARound; count++) await call();
};
const together = (call: Call) => async () => {
  for (let count = 0; count < callsARound; count += atOnce) await Promise.all(Array.from({ length: atOnce }, call));
};

const near = new Client({ name: 'bench', version: '1' });
const [ours, theirs] = InMemoryTransport.createLinkedPair();
await echoServer().connect(theirs);
await near.connect(ours as Parameters<Client['connect']>[0]);
const port: Pick<McpClient, 'callTool' | 'servers'> = {
  servers: () => [{ name: 'echo', state: 'connected' }],
  callTool: async ({ tool, input }, { signal }) =>
    (await near.callTool({ name: tool, arguments: { ...input } }, undefined, { signal })) as never,
};
const inMemory = { 'bare client': oneByOne(bare(near)), 'our tool over it': oneByOne(wrapped(port)) };
report(`${callsARound} calls in memory`, await alternate(inMemory, rounds), { 'our tool over it': 1.15 });

const far = new Client({ name: 'bench', version: '1' });
await far.connect(new StdioClientTransport(program));
const manager = new McpManager({ servers: { echo: program } });
await manager.connect();
try {
  const [bareCall, ourCall] = [bare(far), wrapped(manager)];
  const overStdio = { 'bare client': oneByOne(bareCall), 'our tool and manager': oneByOne(ourCall) };
  report(`${callsARound} calls over stdio`, await alternate(overStdio, rounds), { 'our tool and manager': 1.05 });
  const parallel = { 'one by one': oneByOne(ourCall), '50 at a time': together(ourCall) };
  report(`${callsARound} calls over stdio by our tool`, await alternate(parallel, rounds), { '50 at a time': 0.5 });
} finally {
  await Promise.all([near.close(), far.close(), manager.dispose()]);
}
