import { expect, test } from 'vitest';
import { createToolkit } from '../../src/index.js';
import { eachRow } from '../support/each-row.js';
import { hostileServer, mcpWorld } from '../support/mcp-world.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

/** The answers of one method, in turn. A number ends the server with that exit code. */
type Says = Readonly<Record<string, readonly (object | number)[]>>;
const says = (what: Says) => hostileServer('says', JSON.stringify(what));

/** A manager with one server that gives these answers. */
async function connected(what: Says, options: Parameters<typeof mcpWorld>[1] = {}) {
  const world = mcpWorld({ s: says(what) }, { limits: { listDebounceMs: 1, inactivityMs: 5_000 }, ...options });
  await world.manager.connect();
  return world;
}

type World = Awaited<ReturnType<typeof connected>>;

const text = (value: string) => ({ type: 'text', text: value });
const called = (result: unknown): Says => ({ 'tools/call': [{ result }] });
const failing = (error: unknown): Says => ({ 'tools/call': [{ error }] });
const tool = (name: string, annotations: object = {}) => ({ name, inputSchema: { type: 'object' }, annotations });
const listed = (...names: readonly string[]) => ({ tools: names.map((name) => tool(name)) });

/** The output of a call in a toolkit. */
async function outputOf(what: Says) {
  const { manager, call } = await connected(what);
  const root = temporaryFolder();
  await using toolkit = createToolkit({ root, permissions: 'bypassPermissions', hosts: { mcp: manager } });
  return { result: await toolkit.call('mcp__s__echo', {}), call };
}

test('structured content of any type is shown and kept', async () => {
  const rows: readonly (readonly [structuredContent: unknown, shown: string, content?: readonly object[]])[] = [
    [[{ id: 1 }], '"id": 1'],
    [42, '42'],
    [0, '0'],
    [false, 'false'],
    [true, 'true'],
    ['plain words', 'plain words'],
    ['', '""'],
    [null, 'null'],
    [[], '[]'],
    [{ n: [1] }, '"n"'],
    [[1, 2], 'first\n[\n  1,\n  2\n]', [text('first')]],
    [7, 'seven\n7', [text('seven')]],
  ];
  await eachRow(rows, async ([structuredContent, shown, content = []]) => {
    const { result, call } = await outputOf(called({ content, structuredContent }));
    expect(await call('s', 'echo')).toEqual({ content, structuredContent });
    expect(result).toMatchObject({ ok: true, output: expect.stringContaining(shown) });
    expect(result.metadata).toMatchObject({ structuredContent });
  });
});

test('the data of an error is shown, cut if necessary and scrubbed', async () => {
  const token = ['ghp', 'x'.repeat(36)].join('_');
  const rows: readonly (readonly [data: unknown, shown: string, hidden?: string])[] = [
    [{ retryAfterSeconds: 30 }, '"retryAfterSeconds":30'],
    ['quota is used up', 'quota is used up'],
    [[{ path: 'a.b', reason: 'missing' }], '"reason":"missing"'],
    [429, '429'],
    [false, 'false'],
    [{ nested: { deep: { cause: 'disk full' } } }, 'disk full'],
    [{ authorization: `Bearer ${token}` }, '"authorization"', token],
    [{ trace: 'y'.repeat(100_000), hint: 'shorter' }, 'shorter', 'yyyy'],
    [undefined, 'no such luck'],
    [null, 'no such luck', 'null'],
  ];
  await eachRow(rows, async ([data, shown, hidden = 'undefined']) => {
    const {
      result: { ok, output },
    } = await outputOf(failing({ code: -32_000, message: 'no such luck', data }));
    expect([ok, output.includes('no such luck'), output.length < 20_000]).toEqual([false, true, true]);
    expect(output).toContain(shown);
    expect(output).not.toContain(hidden);
  });
});

test('error messages of a server are escaped in results and status', async () => {
  const message = '\u001b]0;x\u0007\u001b[31mno such\u001b[0m luck\u0007';
  const { result } = await outputOf(failing({ code: -32_000, message, data: 'x\u009b0m' }));
  expect(result.output).toBe('Error: The MCP server "s" answered with an error: no such luck "x"');
  const { stateOf } = await connected({ initialize: [{ error: { code: -1, message } }] });
  expect(stateOf('s')?.error).toBe('no such luck');
});

test('an invalid initialize result is reported in one line', async () => {
  const { stateOf } = await connected({ initialize: [{ result: { protocolVersion: 5, capabilities: {} } }] });
  expect(stateOf('s')?.error).toBe(
    'It sent an invalid message (protocolVersion: Invalid input: expected string, received number).',
  );
});

const visit = (url: unknown) => ({ mode: 'url', elicitationId: '1', url, message: 'Log in' });
const wanting = (...elicitations: readonly unknown[]) =>
  failing({ code: -32_042, message: 'Log in first', data: { elicitations } });

test('an address that a call needs visited is passed to hosts.elicitation', async () => {
  const url = 'https://login.example/start';
  const rows: readonly (readonly [string, Says, readonly string[], answer: unknown, says: string])[] = [
    ['agreed', wanting(visit(url)), [url], { action: 'accept' }, 'call again'],
    ['declined', wanting(visit(url)), [url], { action: 'decline' }, 'did not agree'],
    ['cancelled', wanting(visit(url)), [url], { action: 'cancel' }, 'did not agree'],
    ['two', wanting(visit(url), visit(`${url}2`)), [url, `${url}2`], { action: 'accept' }, 'call again'],
    ['other schemes', wanting(visit('javascript:alert(1)'), visit('file:///etc/passwd')), [], {}, 'Log in first'],
    ['fifty', wanting(...Array(50).fill(visit(url))), [url, url, url], { action: 'accept' }, 'call again'],
    ['no address', wanting({ mode: 'url' }, 7, visit('no address')), [], { action: 'accept' }, 'Log in first'],
    ['no list', failing({ code: -32_042, message: 'Log in first', data: 7 }), [], undefined, 'Log in first'],
    ['a host that fails', wanting(visit(url)), [url], new Error('no window'), 'did not agree'],
    ['another code', failing({ code: -32_000, message: 'x', data: { elicitations: [visit(url)] } }), [], {}, url],
  ];
  await eachRow(rows, async ([, what, asked, answer, said]) => {
    const heard: unknown[] = [];
    const elicitation = {
      elicit: async (request: object, scope: object) => {
        heard.push({ ...request, ...scope });
        if (answer instanceof Error) throw answer;
        return answer as { readonly action: 'accept' };
      },
    };
    const { call, scope } = await connected(what, { answers: { elicitation } });
    await expect(call('s', 'echo')).rejects.toMatchObject({
      code: 'mcp_tool_error',
      message: expect.stringContaining(said),
    });
    expect(heard).toEqual(
      asked.map((url) => expect.objectContaining({ server: 's', message: 'Log in', url, caller: scope.caller })),
    );
  });
  const { call } = await connected(wanting(visit(url)));
  await expect(call('s', 'echo')).rejects.toMatchObject({ message: expect.stringContaining(url) });
});

const page = (key: string, entries: readonly object[], nextCursor?: string) => ({
  result: { [key]: entries, ...(nextCursor !== undefined && { nextCursor }) },
});
const resource = (uri: string) => ({ uri, name: uri });

test('a result with unknown fields is accepted', () =>
  eachRow<[string, object, string]>(
    [
      ['another field', { result: { content: [text('fine')] }, extra: 1 }, 'fine'],
      ['another version', { result: { content: [text('fine')] }, jsonrpc: '1.0' }, 'fine'],
      ['no version', { result: { content: [text('fine')] }, jsonrpc: null }, 'fine'],
      ['a method', { result: { content: [text('fine')] }, method: 'tools/call' }, 'fine'],
      ['no error', { result: { content: [text('fine')] }, error: null }, 'fine'],
      ['an error', { result: { content: [text('fine')] }, error: { code: 1, message: 'no luck' } }, 'no luck'],
      ['a byte order mark', { result: { content: [text('fine')] }, before: '\ufeff' }, 'fine'],
    ],
    async ([, answer, shown]) => {
      const { result } = await outputOf({ 'tools/call': [answer] });
      expect(result.output).toContain(shown);
    },
  ));

test('a number as cursor is returned unchanged, and other types are reported', async () => {
  const numbered = [1, 0].map((nextCursor, at) => ({ result: { tools: [tool(`t${at}`)], nextCursor } }));
  const { manager } = await connected({ 'tools/list': [...numbered, page('tools', [tool('last')])] });
  expect(manager.tools().map(({ name }) => name)).toEqual(['t0', 't1', 'last']);
  const odd = await connected({ 'tools/list': [{ result: { tools: [tool('a')], nextCursor: { at: 1 } } }] });
  expect(odd.stateOf('s')?.quarantined).toMatchObject([{ reason: expect.stringContaining('invalid cursor') }]);
});

test('an empty cursor is a cursor', async () => {
  const { manager, scope } = await connected({
    'tools/list': [page('tools', [tool('a')], ''), page('tools', [tool('b')])],
    'prompts/list': [page('prompts', [{ name: 'a' }], ''), page('prompts', [{ name: 'b' }])],
    'resources/list': [page('resources', [resource('x:a')], ''), page('resources', [resource('x:b')])],
    'resources/templates/list': [
      page('resourceTemplates', [{ uriTemplate: 'x:{a}' }], ''),
      page('resourceTemplates', [{ uriTemplate: 'x:{b}' }]),
    ],
  });
  expect(manager.tools().map(({ name }) => name)).toEqual(['a', 'b']);
  expect(manager.prompts().map(({ name }) => name)).toEqual(['a', 'b']);
  const first = await manager.listResources({ server: 's' }, scope);
  expect(first).toMatchObject({ resources: [{ uri: 'x:a' }], nextCursor: '' });
  expect(first.templates?.map(({ uriTemplate }) => uriTemplate)).toEqual(['x:{a}', 'x:{b}']);
  const second = await manager.listResources({ server: 's', cursor: '' }, scope);
  expect([second.resources.map(({ uri }) => uri), 'nextCursor' in second]).toEqual([['x:b'], false]);
});

test('an empty cursor is followed by all servers, and ends the list if it was meant as none', async () => {
  const pages = [page('resources', [resource('x:a')], ''), page('resources', [resource('x:b')])];
  const again = [page('tools', [tool('a')], '')];
  const { manager, scope } = mcpWorld({ one: says({ 'resources/list': pages }), two: says({ 'tools/list': again }) });
  await manager.connect();
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const next = await manager.listResources(cursor === undefined ? {} : { cursor }, scope);
    found.push(...next.resources.map(({ server, uri }) => `${server} ${uri}`));
    cursor = next.nextCursor;
  } while (cursor !== undefined);
  expect(found).toEqual(['one x:a', 'one x:b', 'two x:1']);
  const [, two] = manager.status();
  expect(two).toMatchObject({ tools: ['a'], quarantined: [] });
  const refusing = await connected({
    'tools/list': [page('tools', [tool('a')], ''), { error: { code: -32_602, message: 'no such cursor' } }],
  });
  expect(refusing.manager.tools().map(({ name }) => name)).toEqual(['a']);
  expect(refusing.stateOf('s')?.quarantined).toEqual([]);
});

test('a list with an empty cursor is not complete after an error that does not refuse the cursor', async () => {
  const { manager, stateOf } = await connected({
    'tools/list': [page('tools', [tool('a')], ''), { error: { code: -32_603, message: 'the database is busy' } }],
  });
  expect(manager.tools().map(({ name }) => name)).toEqual(['a']);
  expect(stateOf('s')?.quarantined).toEqual([
    { tool: '*', reason: expect.stringContaining('answered with an error: the database is busy') },
  ]);
});

test('the previous list stays if the server ends after an empty cursor', async () => {
  const { call, updates } = await connected(
    {
      'tools/list': [page('tools', [tool('a'), tool('b')]), page('tools', [tool('a')], ''), 1],
      'tools/call': [{ changed: true, result: { content: [] } }],
    },
    { limits: { listDebounceMs: 1, reconnectMinMs: 1 } },
  );
  const told = updates.length;
  await call('s', 'a');
  await until(() => updates.slice(told).some(({ state }) => state === 'connected'));
  expect(updates.flatMap(({ removed = [] }) => removed)).toEqual([]);
});

test('a list of the wrong shape keeps the previous list', async () => {
  const rows = ['', null, {}, 7, true, undefined];
  await eachRow(rows, async (wrong) => {
    const { manager, call, updates } = await connected({
      'tools/list': [{ result: listed('a') }, { changed: true, result: { tools: wrong } }, { result: listed('b') }],
      'tools/call': [{ changed: true, result: { content: [] } }],
    });
    const told = updates.length;
    await call('s', 'a');
    await until(() => updates.length > told);
    // The invalid list caused no event.
    expect(updates.slice(told)).toEqual([{ server: 's', state: 'connected', added: ['b'], removed: ['a'] }]);
    expect(manager.tools().map(({ name }) => name)).toEqual(['b']);
  });
});

test('a result of the wrong shape is an error', async () => {
  const rows: readonly (readonly [string, Says, (world: World) => Promise<unknown>])[] = [
    ...[null, '', 'words', {}, 7].map(
      (content) => [JSON.stringify(content), called({ content }), ({ call }: World) => call('s', 'echo')] as const,
    ),
    ['error in words', failing('no such luck'), ({ call }) => call('s', 'echo')],
    ['error without a message', failing({ code: -32_000 }), ({ call }) => call('s', 'echo')],
    ['error with a code in words', failing({ code: 'E', message: 'no' }), ({ call }) => call('s', 'echo')],
    ['error that is null', failing(null), ({ call }) => call('s', 'echo')],
    [
      'resources',
      { 'resources/list': [{ result: { resources: '' } }] },
      ({ manager, scope }) => manager.listResources({ server: 's' }, scope),
    ],
    [
      'contents',
      { 'resources/read': [{ result: { contents: null } }] },
      ({ manager, scope }) => manager.readResource({ server: 's', uri: 'x:1' }, scope),
    ],
    ['messages', { 'prompts/get': [{ result: { messages: {} } }] }, ({ manager }) => manager.getPrompt('s', 'p')],
  ];
  await eachRow(rows, async ([, what, ask]) => {
    const world = await connected(what);
    await expect(ask(world)).rejects.toMatchObject({ code: 'mcp_tool_error' });
    expect(world.stateOf('s')?.state).toBe('connected');
  });
});

test('a server whose first list has the wrong shape does not connect, and others do', async () => {
  const { manager, stateOf } = mcpWorld({
    s: says({ 'tools/list': [{ result: { tools: '' } }] }),
    good: hostileServer('good'),
  });
  await manager.connect();
  expect(stateOf('s')).toMatchObject({
    state: 'reconnecting',
    error: expect.stringContaining('not return a list of tools'),
  });
  expect(manager.tools('good')).toHaveLength(1);
});

test('a call of a read-only or idempotent tool is repeated after a reconnect', async () => {
  const rows: readonly (readonly [annotations: object, isSentAgain: boolean])[] = [
    [{ readOnlyHint: true }, true],
    [{ idempotentHint: true }, true],
    [{ readOnlyHint: true, idempotentHint: false }, true],
    [{}, false],
    [{ readOnlyHint: false }, false],
    [{ idempotentHint: 'yes' }, false],
    [{ destructiveHint: true }, false],
  ];
  await eachRow(rows, async ([annotations, isSentAgain]) => {
    // The second start of the server succeeds.
    const folder = temporaryFolder();
    const { manager, call, stateOf } = mcpWorld({
      s: hostileServer('crashes_once', JSON.stringify({ folder, annotations })),
    });
    await manager.connect();
    const outcome = call('s', 'echo');
    if (isSentAgain) expect(await outcome).toEqual({ content: [text('started 2 times')] });
    else await expect(outcome).rejects.toMatchObject({ code: 'mcp_unavailable' });
    expect(stateOf('s')?.state).toBe(isSentAgain ? 'connected' : 'reconnecting');
  });
});

test('a call that ends its server each time is sent at most twice', async () => {
  const { manager, call, stateOf } = mcpWorld({
    s: says({ 'tools/list': [{ result: { tools: [tool('echo', { readOnlyHint: true })] } }], 'tools/call': [7] }),
  });
  await manager.connect();
  await expect(call('s', 'echo')).rejects.toMatchObject({ code: 'mcp_unavailable' });
  expect(stateOf('s')).toMatchObject({ state: 'reconnecting', attempts: 2 });
  await expect(call('s', 'echo')).rejects.toMatchObject({ message: expect.stringContaining('is reconnecting') });
});
