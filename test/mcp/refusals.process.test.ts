import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { McpAuthProvider } from '../../src/mcp.js';
import { eachRow } from '../support/each-row.js';
import { mcpWorld } from '../support/mcp-world.js';
import { until } from '../support/until.js';

/** The response of a server to one message: a result, or a status with headers. */
type Answer =
  | { readonly result: object }
  | { readonly error: object }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string };
interface Message {
  readonly id?: number;
  readonly method: string;
}

/** A server over HTTP with sessions and given responses; undefined means the usual one. */
async function serving(answer: (message: Message, request: IncomingMessage) => Answer | undefined, annotations = {}) {
  const [heard, asked]: [string[], string[]] = [[], []];
  let sessions = 0;
  const usual: Readonly<Record<string, object>> = {
    initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } },
    'tools/list': { tools: [{ name: 't', inputSchema: { type: 'object' }, annotations }] },
    'tools/call': { content: [{ type: 'text', text: 'well' }] },
    ping: {},
  };
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    // A kept-alive connection could break later, as if the request had been sent on it.
    response.setHeader('connection', 'close');
    let body = '';
    for await (const chunk of request) body += String(chunk);
    asked.push(request.method ?? '');
    if (request.url?.startsWith('/mcp') !== true || request.method !== 'POST') return response.writeHead(405).end();
    const message = JSON.parse(body) as Message;
    heard.push(message.method);
    const said = answer(message, request) ?? { result: usual[message.method] ?? {} };
    if ('status' in said) return response.writeHead(said.status, said.headers).end(said.body ?? 'refused');
    if (message.id === undefined) return response.writeHead(202).end();
    const session = message.method === 'initialize' ? { 'mcp-session-id': `session-${++sessions}` } : {};
    response.writeHead(200, { 'content-type': 'application/json', ...session });
    return response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...said }));
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(close);
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/mcp`, heard, asked, close };
}

const refusing = (status: number, headers: Readonly<Record<string, string>> = {}) =>
  serving(({ method }) => (method === 'tools/call' ? { status, headers } : undefined));

test('the refusal of a server is reported with its scope and pause', async () => {
  const narrow = (scope: string) => ({ 'www-authenticate': `Bearer error="insufficient_scope"${scope}` });
  const rows: readonly (readonly [number, Record<string, string>, object, ...(readonly string[])])[] = [
    [429, { 'retry-after': '30' }, { code: 'rate_limited', retryAfterMs: 30_000 }, 'HTTP 429', '30 s'],
    [429, {}, { code: 'rate_limited', retryAfterMs: undefined }, 'HTTP 429', 'later'],
    [429, { 'retry-after': 'soon' }, { code: 'rate_limited', retryAfterMs: undefined }, 'HTTP 429'],
    [429, { 'retry-after': 'Fri, 01 Jan 2100 00:00:00 GMT' }, { retryAfterMs: expect.any(Number) }, 'HTTP 429'],
    [429, { 'retry-after': '99999999999' }, { retryAfterMs: 86_400_000 }, '86400 s', 'It said: "refused"'],
    [402, {}, { code: 'http_error' }, 'payment', 'HTTP 402'],
    [402, { 'retry-after': '60' }, { code: 'http_error', retryAfterMs: 60_000 }, 'HTTP 402', '60 s'],
    [
      403,
      narrow(', scope="files:write files:read"'),
      { code: 'http_error' },
      'insufficient_scope',
      'files:write files:read',
    ],
    [403, narrow(' scope=admin'), { metadata: { status: 403, scope: 'admin' } }, 'insufficient_scope', 'admin'],
    [403, narrow(''), { code: 'http_error' }, 'insufficient_scope'],
    [403, { 'www-authenticate': 'Bearer realm="x"' }, { code: 'mcp_unavailable' }, 'refused'],
    [403, {}, { code: 'mcp_unavailable' }, 'refused'],
    [503, { 'retry-after': '9' }, { code: 'mcp_unavailable' }, 'refused'],
  ];
  await eachRow(
    rows,
    async ([status, headers, expected, ...words]) => {
      const { url } = await refusing(status, headers);
      const { manager, call, updates } = mcpWorld({ h: { url } });
      await manager.connect();
      const thrown = await call('h', 't').catch((error: unknown) => error as Error);
      expect(thrown).toMatchObject(expected);
      for (const word of words) expect((thrown as Error).message).toContain(word);
      // A server that refuses is reachable.
      expect(updates.at(-1)?.state).toBe('connected');
    },
    ([status, headers]) => `${status} ${JSON.stringify(headers)}`,
  );
});

test('the code of a JSON-RPC error is no HTTP status', async () => {
  const failing = (failed: string) =>
    serving(({ method }) => (method === failed ? { error: { code: 404, message: 'no such document' } } : undefined));
  const { url, heard } = await failing('tools/call');
  const unready = await failing('initialize');
  const { manager, call, updates } = mcpWorld({ h: { url }, i: { url: unready.url } });
  await manager.connect();
  await expect(call('h', 't')).rejects.toMatchObject({ code: 'mcp_tool_error' });
  expect(updates.filter(({ server, state }) => server === 'h' && state === 'reconnecting')).toEqual([]);
  expect(heard.filter((method) => method === 'initialize')).toHaveLength(1);
  expect(unready.asked.filter((method) => method === 'GET')).toEqual([]);
});

test('a JSON-RPC error in the body of a refusal is shown', () =>
  eachRow<[number, object]>(
    [
      [400, { code: 'mcp_tool_error' }],
      [403, { code: 'mcp_tool_error' }],
      [500, { code: 'mcp_tool_error' }],
      [429, { code: 'rate_limited' }],
    ],
    async ([status, expected]) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_602, message: 'no such field' } });
      const { url } = await serving(({ method }) => (method === 'tools/call' ? { status, body } : undefined));
      const { manager, call } = mcpWorld({ h: { url } });
      await manager.connect();
      await expect(call('h', 't')).rejects.toMatchObject({
        ...expected,
        message: expect.stringContaining('no such field'),
      });
    },
  ));

test('a refusal at the start is in the status', async () => {
  const { url, heard } = await serving(() => ({ status: 429, headers: { 'retry-after': '30' } }));
  const { manager, stateOf } = mcpWorld({ h: { url } });
  await manager.connect();
  expect(stateOf('h')).toMatchObject({ state: 'reconnecting', error: expect.stringContaining('HTTP 429') });
  expect(heard).toEqual(['initialize']);
});

test('a wider scope is requested once, for any later scope', async () => {
  const rows: readonly (readonly [string, (asked: number) => string])[] = [
    ['the same', () => 'more'],
    ['another each time', (asked) => `more-${asked}`],
    ['none', () => ''],
    ['two in turn', (asked) => `more-${asked % 2}`],
    ['a longer one each time', (asked) => 'x'.repeat(asked + 1)],
  ];
  await eachRow(rows, async ([, scopeOf]) => {
    let refused = 0;
    const { url } = await serving(({ method }) =>
      method === 'tools/call'
        ? {
            status: 403,
            headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scopeOf(refused++)}"` },
          }
        : undefined,
    );
    const granted = ['made', 'for', 'the', 'test'].join('-');
    let refreshed = 0;
    const auth = createServer((_, response) => {
      refreshed++;
      const given = { access_token: granted, token_type: 'Bearer', refresh_token: granted };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(given));
    });
    await new Promise<void>((resolve) => void auth.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void auth.close());
    const issuer = `http://127.0.0.1:${(auth.address() as AddressInfo).port}`;
    const authProvider = {
      redirectUrl: 'http://127.0.0.1/back',
      clientMetadata: { redirect_uris: ['http://127.0.0.1/back'] },
      clientInformation: () => ({ client_id: 'toolwright' }),
      discoveryState: () => ({
        authorizationServerUrl: issuer,
        authorizationServerMetadata: {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          response_types_supported: ['code'],
        },
      }),
      tokens: () => ({ access_token: granted, token_type: 'Bearer', refresh_token: granted, issuer }),
      saveTokens: () => {},
      redirectToAuthorization: () => {},
      saveCodeVerifier: () => {},
      codeVerifier: () => 'x',
    } as McpAuthProvider;
    const { manager, call, updates } = mcpWorld({ h: { url, authProvider } });
    await manager.connect();
    await expect(call('h', 't')).rejects.toMatchObject({
      code: 'http_error',
      message: expect.stringContaining('insufficient_scope'),
    });
    expect([refused, refreshed, updates.at(-1)?.state]).toEqual([2, 1, 'connected']);
  });
});

test('a call to a lost session is sent again in a new one, for any tool', async () => {
  const rows = [
    {},
    { readOnlyHint: true },
    { destructiveHint: true },
    { idempotentHint: false },
    { readOnlyHint: false },
  ];
  await eachRow(rows, async (annotations) => {
    let forgotten = '';
    const { url, heard } = await serving(
      (_, { headers }) => (headers['mcp-session-id'] === forgotten ? { status: 404 } : undefined),
      annotations,
    );
    const { manager, call, stateOf } = mcpWorld({ h: { url } });
    await manager.connect();
    expect((await call('h', 't')).content).toHaveLength(1);
    forgotten = 'session-1';
    // All running calls get the same refusal, and each continues.
    const answers = await Promise.all([1, 2, 3].map(() => call('h', 't')));
    expect(answers.map(({ content }) => content)).toEqual(Array(3).fill([{ type: 'text', text: 'well' }]));
    expect(heard.filter((method) => method === 'initialize')).toHaveLength(2);
    expect(stateOf('h')?.state).toBe('connected');
  });
});

test('an unreachable server is tried once more at once, for the call', async () => {
  const first = await serving(() => undefined);
  const { manager, call, stateOf } = mcpWorld({ h: { url: first.url } });
  await manager.connect();
  first.close();
  await expect(call('h', 't')).rejects.toMatchObject({ code: 'mcp_unavailable' });
  expect(stateOf('h')).toMatchObject({ state: 'reconnecting', attempts: 2 });
});

test('a call that may have reached the server is not sent again', async () => {
  let calls = 0;
  const { url } = await serving(({ method }, request) => {
    if (method !== 'tools/call') return undefined;
    calls++;
    request.socket.destroy();
    return undefined;
  });
  const { manager, call } = mcpWorld({ h: { url } });
  await manager.connect();
  await expect(call('h', 't')).rejects.toMatchObject({ code: 'mcp_unavailable' });
  await until(() => calls === 1);
});
