/**
 * Tools of an MCP server in an agent: the official memory server (a knowledge graph), started from a config file in the
 * usual format after consent. A rule allows some of its tools, and the model does not notice a restart of the server.
 *
 * npx tsx examples/mcp-client.ts   needs no network and no key
 */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createPermissions, createToolkit } from 'toolwright';
import { fileFingerprints, McpManager, readMcpConfig } from 'toolwright/mcp';

const base = await realpath(await mkdtemp(join(tmpdir(), 'toolwright-mcp-')));
// The tools work in root. Files that the program trusts are outside it.
const [root, own] = [join(base, 'work'), join(base, 'own')];
for (const folder of [root, own]) await mkdir(folder);
const program = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-memory/dist/index.js'));
const memory = {
  command: process.execPath,
  args: [program],
  env: { MEMORY_FILE_PATH: join(own, 'memory.jsonl') },
};
await writeFile(join(own, 'mcp.json'), JSON.stringify({ mcpServers: { memory } }));

const consents: (string | undefined)[] = [];
const mcp = new McpManager({
  ...(await readMcpConfig(join(own, 'mcp.json'))),
  consent: ({ command }) => {
    consents.push(command?.[1]);
    return command?.[1] === program;
  },
  fingerprints: fileFingerprints(join(own, 'fingerprints.json')),
});
const updates: string[] = [];
const toolkit = createToolkit({
  root,
  hosts: { mcp },
  permissions: createPermissions({ allow: ['mcp__memory__create_entities', 'mcp__memory__search_nodes'] }),
  onEvent: (event) => {
    if (event.type === 'mcp-update') updates.push(`${event.server} ${event.state}`);
  },
});

try {
  await mcp.connect();
  const offered = toolkit.definitions().map(({ name }) => name);
  const entities = [{ name: 'Ada', entityType: 'person', observations: ['writes programs'] }];
  const written = await toolkit.call('mcp__memory__create_entities', { entities });
  const wrong = await toolkit.call('mcp__memory__create_entities', { entities: 'Ada' });
  const found = await toolkit.call('mcp__memory__search_nodes', { query: 'programs' });
  const denied = await toolkit.call('mcp__memory__delete_entities', { entityNames: ['Ada'] });
  await mcp.restart('memory');
  const again = await toolkit.call('mcp__memory__search_nodes', { query: 'Ada' });

  const checks = {
    'a server from a file starts after consent': consents.length > 0 && consents.every((one) => one === program),
    'its tools are offered beside the built-in ones': offered.includes('Read') && offered.length > 5,
    'what a rule allows runs': written.ok && found.ok && found.output.includes('writes programs'),
    'input is checked before the server sees it': !wrong.ok && wrong.error.code === 'invalid_input',
    'what no rule allows does not': !denied.ok && denied.error.code === 'permission_denied',
    'after a restart the same tools answer': again.ok && again.output.includes('Ada'),
    'a system prompt may name them': toolkit.mcpSummaries().includes('mcp__memory__create_entities: '),
    'listeners hear of the server': updates.includes('memory connected'),
  };
  for (const [expectation, holds] of Object.entries(checks))
    process.stdout.write(`${holds ? 'ok    ' : 'FAILED'} ${expectation}\n`);
  process.exitCode = Object.values(checks).every(Boolean) ? 0 : 1;
} finally {
  await toolkit.dispose();
  await mcp.dispose();
  await rm(base, { recursive: true });
}
