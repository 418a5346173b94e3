/**
 * A toolkit as an MCP server, seen by a client: tools with hints, a question to the person, progress, files as
 * resources, and the refusal of clients without the token.
 *
 * npx tsx examples/mcp-server.ts   needs no network and no key
 */
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { createPermissions, createToolkit } from 'toolwright';
import { serveMcp } from 'toolwright/mcp-server';

const root = await realpath(await mkdtemp(join(tmpdir(), 'toolwright-mcp-')));
await writeFile(join(root, 'notes.md'), '# Notes\n');
await writeFile(join(root, 'secret.env'), 'nothing for a model\n');

const toolkit = createToolkit({
  root,
  permissions: createPermissions({ allow: ['Bash(sleep *)', 'Bash(printf *)'], deny: ['Read(**/*.env)'] }),
});
const token = crypto.randomUUID();
const serving = await serveMcp(toolkit, { transport: { port: 0, token } });
const address = new URL(serving.url ?? '');

const asked: string[] = [];
const client = new Client({ name: 'example', version: '1' }, { capabilities: { elicitation: {} } });
client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
  asked.push(params.message);
  return { action: 'accept', content: { decision: params.message.includes('notes.md') ? 'allow-once' : 'deny' } };
});

try {
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit }));
  const call = (name: string, input: Record<string, unknown>) => client.callTool({ name, arguments: input });

  const { tools } = await client.listTools();
  const hints = Object.fromEntries(tools.map((tool) => [tool.name, tool.annotations]));
  const allowed = await call('Write', { file_path: join(root, 'notes.md'), content: '# More notes\n' });
  const denied = await call('Write', { file_path: join(root, 'other.md'), content: '' });
  const progress: (string | undefined)[] = [];
  const command = 'printf "half\\n"; sleep 0.3; printf "done\\n"';
  await client.callTool({ name: 'Bash', arguments: { command } }, undefined, {
    onprogress: ({ message }) => progress.push(message),
  });
  const { resources } = await client.listResources();
  const { contents } = await client.readResource({ uri: pathToFileURL(join(root, 'notes.md')).href });
  const stranger = await fetch(address, { method: 'POST', headers: { authorization: 'Bearer guessed' } });

  const checks = {
    'the client knows what only looks': hints.Read?.readOnlyHint === true && hints.Bash?.destructiveHint === true,
    'its person was asked, and said yes once': allowed.isError === undefined && asked.length === 2,
    'what they did not want was refused': denied.isError === true,
    'a command told how far it was': progress.includes('half'),
    'files are resources, but for those that a rule denies': resources.map(({ name }) => name).join() === 'notes.md',
    'a resource is the file as it is': JSON.stringify(contents).includes('# More notes\\n'),
    'nobody else gets in': stranger.status === 401,
  };
  for (const [expectation, holds] of Object.entries(checks))
    process.stdout.write(`${holds ? 'ok    ' : 'FAILED'} ${expectation}\n`);
  process.exitCode = Object.values(checks).every(Boolean) ? 0 : 1;
} finally {
  await client.close();
  await serving.close();
  await toolkit.dispose();
  await rm(root, { recursive: true });
}
