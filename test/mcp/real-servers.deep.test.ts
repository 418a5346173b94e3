import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ElicitationRequest, McpProgress, McpSamplingRequest } from '../../src/index.js';
import type { McpServerConfig } from '../../src/mcp.js';
import { mcpWorld } from '../support/mcp-world.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const program = (name: string) =>
  fileURLToPath(new URL(`../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`, import.meta.url));
const local = (name: string, ...args: readonly string[]): McpServerConfig => ({
  command: process.execPath,
  args: [program(name), ...args],
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts server-everything over HTTP. Returns its address and a function that ends it. */
async function remote(transport: 'sse' | 'streamableHttp') {
  const port = await freePort();
  const start = async () => {
    const child = spawn(process.execPath, [program('everything'), transport], {
      env: { ...process.env, PORT: `${port}` },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const end = async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    };
    onTestFinished(end);
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    await until(() => said.includes(`port ${port}`));
    return end;
  };
  const path = transport === 'sse' ? 'sse' : 'mcp';
  return { url: `http://127.0.0.1:${port}/${path}`, start, end: await start() };
}

const configs: readonly (readonly [name: string, () => Promise<McpServerConfig>])[] = [
  ['stdio', async () => local('everything')],
  ['streamable HTTP', async () => ({ type: 'http', url: (await remote('streamableHttp')).url })],
  ['SSE', async () => ({ type: 'sse', url: (await remote('sse')).url })],
  ['SSE, found by falling back', async () => ({ url: (await remote('sse')).url })],
];

describe.each(configs)('all features over %s', (_, configOf) => {
  test('every tool, prompt, resource and notification', async () => {
    const asked: (McpSamplingRequest | ElicitationRequest)[] = [];
    const answers = {
      roots: () => ['/work-of-nobody/project'],
      sampling: {
        sample: async (request: McpSamplingRequest) => {
          asked.push(request);
          return { model: 'm', text: 'sampled', stopReason: 'endTurn' };
        },
      },
      elicitation: {
        elicit: async (request: ElicitationRequest) => {
          asked.push(request);
          return { action: 'accept' as const, content: { name: 'Ann', check: true } };
        },
      },
    };
    const { manager, call, scope, stateOf } = mcpWorld({ e: await configOf() }, { answers });
    await manager.connect();
    await until(() => stateOf('e')?.tools.length === 16);
    expect(manager.servers()).toMatchObject([{ name: 'e', state: 'connected', instructions: expect.any(String) }]);
    const text = (containing: string) => ({ type: 'text', text: expect.stringContaining(containing) });
    const image = { type: 'image', data: expect.any(String), mimeType: 'image/png' };
    const link = { type: 'resource_link', uri: expect.stringContaining('demo://') };
    const tools: readonly (readonly [tool: string, input: Record<string, unknown>, content: readonly unknown[]])[] = [
      ['echo', { message: 'x' }, [text('Echo: x')]],
      ['get-annotated-message', { messageType: 'error', includeImage: true }, [text('Error'), image]],
      ['get-env', {}, [text('PATH')]],
      ['get-resource-links', { count: 2 }, [text('Here are 2'), link, link]],
      [
        'get-resource-reference',
        { resourceType: 'Text', resourceId: 1 },
        [text(''), { type: 'resource', resource: { text: expect.any(String) } }, text('')],
      ],
      ['get-structured-content', { location: 'Chicago' }, [text('temperature')]],
      ['get-sum', { a: 2, b: 3 }, [text('5')]],
      ['get-tiny-image', {}, [text(''), image, text('')]],
      [
        'gzip-file-as-resource',
        { name: 'x.gz', data: 'data:text/plain,hello', outputType: 'resource' },
        [{ type: 'resource', resource: { blob: expect.any(String) } }],
      ],
      ['get-roots-list', {}, [text('file:///work-of-nobody/project')]],
      ['trigger-sampling-request', { prompt: 'p', maxTokens: 10 }, [text('sampled')]],
      ['trigger-elicitation-request', {}, [text(''), text('Ann'), text('')]],
      ['trigger-url-elicitation', { url: 'https://example.com/login' }, [text('')]],
      ['toggle-simulated-logging', {}, [text('')]],
      ['toggle-subscriber-updates', {}, [text('')]],
    ];
    for (const [tool, input, content] of tools) {
      const answer = await call('e', tool, input);
      expect(answer.isError, tool).toBeUndefined();
      expect(answer.content.slice(0, content.length), tool).toMatchObject(content);
    }
    expect((await call('e', 'get-structured-content', { location: 'Chicago' })).structuredContent).toMatchObject({
      temperature: expect.any(Number),
    });
    expect((await call('e', 'get-sum', { a: 'x' })).isError).toBe(true);
    expect(asked).toMatchObject([
      { server: 'e', maxTokens: 10, messages: [{ role: 'user' }] },
      { server: 'e', schema: { type: 'object' } },
      { server: 'e', url: 'https://example.com/login' },
    ]);
    const heard: McpProgress[] = [];
    const onProgress = (progress: McpProgress) => heard.push(progress);
    const input = { duration: 0.3, steps: 3 };
    await manager.callTool({ server: 'e', tool: 'trigger-long-running-operation', input, onProgress }, scope);
    expect(heard.map(({ progress, total }) => [progress, total])).toEqual([1, 2, 3].map((at) => [at, 3]));

    expect(manager.prompts().map(({ name }) => name)).toEqual([
      'simple-prompt',
      'args-prompt',
      'completable-prompt',
      'resource-prompt',
    ]);
    const prompts: readonly (readonly [name: string, args: Record<string, string>])[] = [
      ['simple-prompt', {}],
      ['args-prompt', { city: 'Rome' }],
      ['completable-prompt', { department: 'Sales', name: 'Alice' }],
      ['resource-prompt', { resourceType: 'Text', resourceId: '1' }],
    ];
    for (const [name, args] of prompts)
      expect((await manager.getPrompt('e', name, args)).messages[0], name).toMatchObject({ role: 'user' });
    await expect(manager.getPrompt('e', 'none')).rejects.toMatchObject({ code: 'mcp_tool_error' });

    const { resources, templates = [], nextCursor } = await manager.listResources({ server: 'e' }, scope);
    expect([nextCursor, templates.map(({ uriTemplate }) => uriTemplate)]).toEqual([
      undefined,
      ['demo://resource/dynamic/text/{resourceId}', 'demo://resource/dynamic/blob/{resourceId}'],
    ]);
    expect(resources.length).toBeGreaterThan(6);
    for (const { uri } of resources)
      expect((await manager.readResource({ server: 'e', uri }, scope)).contents, uri).toMatchObject([{ uri }]);
    const dynamic = await manager.readResource({ server: 'e', uri: 'demo://resource/dynamic/blob/1' }, scope);
    expect(dynamic.contents).toMatchObject([{ blob: expect.any(String) }]);
    await expect(manager.readResource({ server: 'e', uri: 'demo://none' }, scope)).rejects.toMatchObject({
      code: 'mcp_tool_error',
    });
    await manager.dispose();
  });
});

test('without handlers no capability is declared', async () => {
  const { manager, stateOf } = mcpWorld({ e: local('everything') });
  await manager.connect();
  expect(stateOf('e')?.tools.filter((name) => /roots|trigger-(?:sampling|elicitation|url)/.test(name))).toEqual([]);
});

test('the hosts of a toolkit answer servers that connect later; with several toolkits none answers', async () => {
  const { manager, call } = mcpWorld({ e: local('everything') });
  const detach = manager.attach({ roots: () => ['/first'], sampling: undefined });
  const detachOther = manager.attach({ roots: () => ['/second'] });
  await manager.connect();
  const roots = async () => JSON.stringify(await call('e', 'get-roots-list'));
  expect(await roots()).not.toMatch(/first|second/);
  detach();
  await manager.restart('e');
  expect(await roots()).toContain('file:///second');
  detachOther();
  await manager.restart('e');
  await expect(call('e', 'get-roots-list')).rejects.toMatchObject({ code: 'unknown_tool' });
});

test.each(['sse', 'streamableHttp'] as const)('a server behind %s that fails reconnects', async (transport) => {
  const server = await remote(transport);
  const limits = { reconnectMinMs: 50, reconnectMaxMs: 100, maxReconnects: 1_000 };
  const { manager, call, stateOf, updates } = mcpWorld({ e: { url: server.url } }, { limits });
  await manager.connect();
  const running = call('e', 'trigger-long-running-operation', { duration: 3_600, steps: 2 });
  const failed = expect(running).rejects.toMatchObject({ code: 'mcp_unavailable' });
  await server.end();
  await failed;
  await until(() => stateOf('e')?.state === 'reconnecting');
  expect(manager.tools('e').length).toBeGreaterThan(10);
  await server.start();
  await until(() => stateOf('e')?.state === 'connected');
  expect((await call('e', 'echo', { message: 'again' })).content).toMatchObject([{ text: 'Echo: again' }]);
  expect(updates.map(({ state }) => state)).toContain('reconnecting');
});

test('every tool of the file server', async () => {
  const root = temporaryFolder();
  const at = (name: string) => join(root, name);
  writeFileSync(at('a.txt'), 'one\ntwo\n');
  writeFileSync(at('p.png'), Buffer.from('89504e470d0a1a0a', 'hex'));
  const { manager, call, stateOf } = mcpWorld({ f: local('filesystem', root) });
  await manager.connect();
  const rows: readonly (readonly [tool: string, input: Record<string, unknown>, text: string])[] = [
    ['read_file', { path: at('a.txt') }, 'one\\ntwo'],
    ['read_text_file', { path: at('a.txt'), head: 1 }, 'one'],
    ['read_media_file', { path: at('p.png') }, 'image/png'],
    ['read_multiple_files', { paths: [at('a.txt'), at('none')] }, 'two'],
    ['write_file', { path: at('b.txt'), content: 'b' }, 'b.txt'],
    ['edit_file', { path: at('b.txt'), edits: [{ oldText: 'b', newText: 'c' }] }, '+c'],
    ['create_directory', { path: at('d') }, 'd'],
    ['list_directory', { path: root }, '[DIR] d'],
    ['list_directory_with_sizes', { path: root }, 'a.txt'],
    ['directory_tree', { path: root }, 'directory'],
    ['move_file', { source: at('b.txt'), destination: at('d/b.txt') }, 'd/b.txt'],
    ['search_files', { path: root, pattern: '**/b.txt' }, 'd/b.txt'],
    ['get_file_info', { path: at('a.txt') }, 'size'],
    ['list_allowed_directories', {}, root],
  ];
  expect(stateOf('f')?.tools).toEqual(rows.map(([tool]) => tool));
  for (const [tool, input, text] of rows) {
    const answer = await call('f', tool, input);
    expect(answer.isError, tool).toBeUndefined();
    expect(JSON.stringify(answer), tool).toContain(text);
  }
  expect(readFileSync(at('d/b.txt'), 'utf8')).toBe('c');
  expect(await call('f', 'read_file', { path: '/etc/passwd' })).toMatchObject({ isError: true });
  expect(manager.tools('f').find(({ name }) => name === 'read_file')?.annotations).toMatchObject({
    readOnlyHint: true,
  });
});

test('every tool of the memory server', async () => {
  const { manager, call, stateOf } = mcpWorld({
    m: { ...local('memory'), env: { MEMORY_FILE_PATH: join(temporaryFolder(), 'memory.jsonl') } },
  });
  await manager.connect();
  const ann = { name: 'Ann', entityType: 'person', observations: ['tall'] };
  const bob = { name: 'Bob', entityType: 'person', observations: [] };
  const knows = { from: 'Ann', to: 'Bob', relationType: 'knows' };
  const rows: readonly (readonly [tool: string, input: Record<string, unknown>, structured: unknown])[] = [
    ['create_entities', { entities: [ann, bob] }, { entities: [ann, bob] }],
    ['create_relations', { relations: [knows] }, { relations: [knows] }],
    [
      'add_observations',
      { observations: [{ entityName: 'Bob', contents: ['old'] }] },
      { results: [{ entityName: 'Bob' }] },
    ],
    ['read_graph', {}, { entities: [{ name: 'Ann' }, { name: 'Bob' }], relations: [knows] }],
    ['search_nodes', { query: 'tall' }, { entities: [ann] }],
    ['open_nodes', { names: ['Bob'] }, { entities: [{ name: 'Bob', observations: ['old'] }] }],
    ['delete_observations', { deletions: [{ entityName: 'Bob', observations: ['old'] }] }, { success: true }],
    ['delete_relations', { relations: [knows] }, { success: true }],
    ['delete_entities', { entityNames: ['Ann', 'Bob'] }, { success: true }],
  ];
  expect([...(stateOf('m')?.tools ?? [])].sort()).toEqual(rows.map(([tool]) => tool).sort());
  for (const [tool, input, structured] of rows)
    expect((await call('m', tool, input)).structuredContent, tool).toMatchObject(structured as object);
});
