import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { McpAnswers } from '../../src/host/mcp-client.js';
import { createToolkit } from '../../src/index.js';
import type { McpServerConfig } from '../../src/mcp.js';
import { mcpWorld } from '../support/mcp-world.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const programOf = (name: string) =>
  join(
    dirname(createRequire(import.meta.url).resolve(`@modelcontextprotocol/server-${name}/package.json`)),
    'dist/index.js',
  );
const stdio = (name: string, ...args: readonly string[]): McpServerConfig => ({
  command: process.execPath,
  args: [programOf(name), ...args],
});

const text = (value: string) => ({ type: 'text', text: value });

/** Each tool of the server, an input and what its answer holds. */
const calls: readonly (readonly [tool: string, input: object, answer: object])[] = [
  ['echo', { message: 'ünï' }, { content: [text('Echo: ünï')] }],
  ['get-sum', { a: 2, b: 40 }, { content: [text('The sum of 2 and 40 is 42.')] }],
  [
    'get-annotated-message',
    { messageType: 'error', includeImage: true },
    { content: [{ type: 'text' }, { type: 'image' }] },
  ],
  ['get-env', {}, { content: [{ type: 'text', text: expect.stringContaining('"PATH"') }] }],
  [
    'get-resource-links',
    { count: 2 },
    { content: [{ type: 'text' }, { type: 'resource_link' }, { type: 'resource_link' }] },
  ],
  [
    'get-resource-reference',
    { resourceType: 'Blob', resourceId: 1 },
    { content: [{ type: 'text' }, { type: 'resource', resource: { blob: expect.any(String) } }, { type: 'text' }] },
  ],
  [
    'get-structured-content',
    { location: 'Chicago' },
    { structuredContent: { conditions: expect.any(String), temperature: expect.any(Number) } },
  ],
  ['get-tiny-image', {}, { content: [{ type: 'text' }, { type: 'image', mimeType: 'image/png' }, { type: 'text' }] }],
  [
    'gzip-file-as-resource',
    { name: 'a.gz', data: 'data:text/plain,hello', outputType: 'resource' },
    { content: [{ type: 'resource', resource: { mimeType: 'application/gzip' } }] },
  ],
  ['toggle-simulated-logging', {}, { content: [{ type: 'text', text: expect.stringContaining('logging') }] }],
  ['toggle-subscriber-updates', {}, { content: [{ type: 'text', text: expect.stringContaining('update') }] }],
  [
    'trigger-long-running-operation',
    { duration: 0.2, steps: 2 },
    { content: [{ type: 'text', text: expect.stringContaining('completed') }] },
  ],
];

/** Starts the server as a process that listens at a free port of this machine. */
async function listening(transport: 'sse' | 'streamableHttp'): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  const child = spawn(process.execPath, [programOf('everything'), transport], {
    env: { ...process.env, PORT: `${port}` },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (said: Buffer) => `${said}`.includes(`port ${port}`) && resolve());
    child.once('exit', () => reject(new Error('the server ended')));
  });
  return port;
}

describe.each<[string, () => Promise<McpServerConfig>]>([
  ['its standard streams', async () => stdio('everything', 'stdio')],
  ['server-sent events', async () => ({ type: 'sse', url: `http://127.0.0.1:${await listening('sse')}/sse` })],
  ['streamable HTTP', async () => ({ type: 'http', url: `http://127.0.0.1:${await listening('streamableHttp')}/mcp` })],
])('the server with everything, over %s', (_name, config) => {
  test('answers each call, shows its resources and prompts, and asks what it may', { timeout: 60_000 }, async () => {
    const asked: string[] = [];
    const answers: McpAnswers = {
      sampling: {
        sample: async ({ messages }) => {
          asked.push(JSON.stringify(messages));
          return { model: 'm', text: 'sampled' };
        },
      },
      elicitation: {
        elicit: async ({ message }) => {
          asked.push(message);
          return { action: 'decline' };
        },
      },
      roots: () => ['/ws'],
    };
    const { manager, call, scope } = mcpWorld({ everything: await config() }, { answers });
    await manager.connect();
    const [status] = manager.status();
    expect(status).toMatchObject({ state: 'connected', quarantined: [{ tool: 'simulate-research-query' }] });
    expect(status?.tools).toEqual(expect.arrayContaining(calls.map(([tool]) => tool)));

    for (const [tool, input, answer] of calls)
      expect(await call('everything', tool, input as Record<string, unknown>), tool).toMatchObject(answer);
    await expect(call('everything', 'get-sum', { a: 'x' })).resolves.toMatchObject({ isError: true });

    const sampled = await call('everything', 'trigger-sampling-request', { prompt: 'hello', maxTokens: 10 });
    expect(JSON.stringify(sampled)).toContain('sampled');
    const elicited = await call('everything', 'trigger-elicitation-request', {});
    expect(JSON.stringify(elicited)).toMatch(/declin/i);
    expect(JSON.stringify(await call('everything', 'get-roots-list'))).toContain('file:///ws');
    expect(asked).toEqual([expect.stringContaining('hello'), expect.any(String)]);

    const heard: number[] = [];
    const onProgress = ({ progress }: { readonly progress: number }) => heard.push(progress);
    const input = { duration: 0.3, steps: 3 };
    await manager.callTool({ server: 'everything', tool: 'trigger-long-running-operation', input, onProgress }, scope);
    // The server may write its last step after its answer.
    expect(heard.slice(0, 2)).toEqual([1, 2]);

    const { resources, templates } = await manager.listResources({ server: 'everything' }, scope);
    expect(resources.length).toBeGreaterThan(4);
    for (const { uri } of resources) {
      const { contents } = await manager.readResource({ server: 'everything', uri }, scope);
      expect(contents[0]?.uri).toBe(uri);
    }
    expect(templates?.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'demo://resource/dynamic/text/{resourceId}',
      'demo://resource/dynamic/blob/{resourceId}',
    ]);
    const uri = 'demo://resource/dynamic/blob/1';
    const { contents } = await manager.readResource({ server: 'everything', uri }, scope);
    expect(contents).toMatchObject([{ uri, blob: expect.any(String) }]);

    const names = manager.prompts('everything').map(({ name }) => name);
    expect(names).toEqual(['simple-prompt', 'args-prompt', 'completable-prompt', 'resource-prompt']);
    const prompt = await manager.getPrompt('everything', 'args-prompt', { city: 'Ulm' });
    expect(JSON.stringify(prompt)).toContain('Ulm');
    expect(status?.state).toBe('connected');
  });
});

test('the file server and the memory server serve a toolkit, which asks about what acts', {
  timeout: 60_000,
}, async () => {
  const folder = temporaryFolder();
  const servers = {
    files: stdio('filesystem', folder),
    memory: { ...stdio('memory'), env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') } },
  };
  const { manager } = mcpWorld(servers);
  await manager.connect();
  const toolkit = createToolkit({ root: folder, hosts: { mcp: manager }, permissions: 'bypassPermissions' });
  onTestFinished(() => toolkit.dispose());
  const call = async (name: string, input: object) => await toolkit.call(name, input);
  const path = join(folder, 'a.txt');
  const table: readonly (readonly [name: string, input: object, output: string])[] = [
    ['mcp__files__write_file', { path, content: 'one\n' }, 'Successfully wrote'],
    ['mcp__files__edit_file', { path, edits: [{ oldText: 'one', newText: 'two' }] }, '+two'],
    ['mcp__files__read_text_file', { path }, 'two'],
    ['mcp__files__read_multiple_files', { paths: [path] }, 'two'],
    ['mcp__files__create_directory', { path: join(folder, 'sub') }, 'Successfully created'],
    ['mcp__files__list_directory', { path: folder }, '[FILE] a.txt'],
    ['mcp__files__list_directory_with_sizes', { path: folder }, 'a.txt'],
    ['mcp__files__directory_tree', { path: folder }, '"sub"'],
    ['mcp__files__search_files', { path: folder, pattern: '*.txt' }, 'a.txt'],
    ['mcp__files__get_file_info', { path }, 'size: 4'],
    ['mcp__files__move_file', { source: path, destination: join(folder, 'b.txt') }, 'Successfully moved'],
    ['mcp__files__list_allowed_directories', {}, folder],
    [
      'mcp__memory__create_entities',
      { entities: [{ name: 'Ada', entityType: 'person', observations: ['counts'] }] },
      'Ada',
    ],
    ['mcp__memory__create_relations', { relations: [{ from: 'Ada', to: 'Ada', relationType: 'is' }] }, 'relationType'],
    ['mcp__memory__add_observations', { observations: [{ entityName: 'Ada', contents: ['writes'] }] }, 'writes'],
    ['mcp__memory__read_graph', {}, 'counts'],
    ['mcp__memory__search_nodes', { query: 'Ada' }, 'person'],
    ['mcp__memory__open_nodes', { names: ['Ada'] }, 'person'],
    ['mcp__memory__delete_observations', { deletions: [{ entityName: 'Ada', observations: ['writes'] }] }, 'success'],
    ['mcp__memory__delete_relations', { relations: [{ from: 'Ada', to: 'Ada', relationType: 'is' }] }, 'success'],
    ['mcp__memory__delete_entities', { entityNames: ['Ada'] }, 'success'],
  ];
  for (const [name, input, output] of table) {
    const result = await call(name, input);
    expect(result.output, name).toContain(output);
    expect(result.ok, name).toBe(true);
  }
  const outside = await call('mcp__files__read_text_file', { path: '/etc/passwd' });
  expect(outside).toMatchObject({ ok: false, error: { code: 'mcp_tool_error' } });
  const asking = createToolkit({ root: folder, hosts: { mcp: manager } });
  onTestFinished(() => asking.dispose());
  expect(await asking.call('mcp__files__read_text_file', { path })).toMatchObject({
    error: { code: 'permission_denied' },
  });
});
