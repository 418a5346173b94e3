import type { RequestListener } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { nextTurn } from '../../src/core/support/timers.js';
import type { McpAuthProvider } from '../../src/mcp.js';
import { mcpWorld } from '../support/mcp-world.js';
import { until } from '../support/until.js';
import { webServer } from '../support/web-server.js';

type Handler = (
  id: number | undefined,
  params: Record<string, unknown>,
  response: Parameters<RequestListener>[1],
) => void;

/** A hand-written server over streamable HTTP. `call` answers calls, all other requests are handled correctly. */
async function httpServer(
  call: Handler,
  statusFor: (authorization: string | undefined, body: string) => number = () => 200,
  get: RequestListener = (_, response) => response.writeHead(405).end(),
) {
  const served = await webServer((request, response) => {
    const json = (body: unknown, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const status = statusFor(request.headers.authorization, served.requests.at(-1)?.body ?? '');
    const challenge = { 'www-authenticate': 'Bearer error="insufficient_scope", scope="more"' };
    if (status !== 200) return response.writeHead(status, status === 403 ? challenge : {}).end();
    if (request.url?.startsWith('/mcp') !== true) return response.writeHead(404).end();
    if (request.method === 'GET') return get(request, response);
    if (request.method !== 'POST') return response.writeHead(405).end();
    const { id, method, params } = JSON.parse(served.requests.at(-1)?.body ?? '{}');
    const results: Record<string, unknown> = {
      initialize: {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'x', version: '1' },
      },
      'tools/list': { tools: [{ name: 't', inputSchema: { type: 'object' } }] },
      ping: {},
    };
    if (method === 'tools/call') return call(id, params, response);
    if (id === undefined) return response.writeHead(202).end();
    return json({ jsonrpc: '2.0', id, result: results[method] });
  });
  return served;
}

const stream = { 'content-type': 'text/event-stream' };
const text = (value: string) => ({ content: [{ type: 'text', text: value }] });
const event = (id: number | undefined, result: unknown) =>
  `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`;

const answering =
  (status: number, body: string | ((id: number | undefined) => string), type = 'application/json'): Handler =>
  (id, _, response) =>
    response.writeHead(status, { 'content-type': type }).end(typeof body === 'string' ? body : body(id));
const streaming = (body: string) => answering(200, body, 'text/event-stream');
const long = text('y'.repeat(3_000_000));
const saying = (code: string, words: string) => ({ code, message: expect.stringContaining(words) });
const tooLong = saying('mcp_tool_error', 'longer than 1000000 bytes');
const without = saying('mcp_unavailable', 'ended without an answer');

test.each<readonly [what: string, expected: object, Handler]>([
  [
    'an answer in JSON that is too long',
    tooLong,
    answering(200, (id) => JSON.stringify({ jsonrpc: '2.0', id, result: long })),
  ],
  ['an event that is too long', tooLong, answering(200, (id) => event(id, long), 'text/event-stream')],
  [
    'an event that never ends',
    tooLong,
    (_id, _, response) => {
      response.writeHead(200, stream);
      const more = () => {
        while (response.write(`data: ${'y'.repeat(100_000)}\n`));
      };
      response.on('drain', more);
      more();
    },
  ],
  [
    'a stream that breaks off',
    saying('mcp_unavailable', 'broke off'),
    (_id, _, response) => {
      response.writeHead(200, stream).write(': hello\n\n');
      setTimeout(() => response.destroy(), 20);
    },
  ],
  ['a failure of the server', { code: 'mcp_unavailable' }, answering(500, 'broken')],
  ['an answer of another kind', { code: 'mcp_unavailable' }, answering(200, '<html>', 'text/html')],
  ['silence', { code: 'timeout' }, () => {}],
  ['a stream that ends without the answer', without, streaming(': bye\n\n')],
  // The server knows no GET.
  ['a stream that cannot be taken up again', without, streaming('id: 1\nretry: 10\ndata:\n\n')],
  ['no more than a nod', without, answering(202, '')],
  ['the answer to something else', without, answering(200, '[]')],
])('%s fails the call, and the server stays', async (_, expected, handler) => {
  let isFirst = true;
  const { url } = await httpServer((id, params, response) => {
    if (isFirst) handler(id, params, response);
    else response.writeHead(200, stream).end(event(id, text('well')));
    isFirst = false;
  });
  const limits = { maxMessageBytes: 1_000_000, inactivityMs: 3_000 };
  const { manager, call, updates } = mcpWorld({ h: { url: `${url}/mcp` } }, { limits });
  await manager.connect();
  await expect(call('h', 't')).rejects.toMatchObject(expected);
  expect(await call('h', 't')).toEqual(text('well'));
  expect(updates.map(({ state }) => state)).toEqual(['connecting', 'connected']);
});

test('a result after the stream was resumed is the result', async () => {
  let waits: number | undefined;
  const { url, requests } = await httpServer(
    (id, _, response) => {
      waits = id;
      response.writeHead(200, stream).end('id: a-1\nretry: 500\ndata:\n\n');
    },
    undefined,
    (request, response) => {
      if (request.headers['last-event-id'] !== 'a-1') response.writeHead(405).end();
      else response.writeHead(200, stream).end(event(waits, text('well')));
    },
  );
  const { manager, call } = mcpWorld({ h: { url: `${url}/mcp` } });
  await manager.connect();
  expect(await call('h', 't')).toEqual(text('well'));
  expect(requests.filter(({ method }) => method === 'GET')).toHaveLength(2);
});

test.each([
  ['nothing yet', ''],
  ['a stream', ': hello\n\n'],
  ['a stream that could be taken up again', 'id: 1\nretry: 10\ndata:\n\n'],
])('a call that is cancelled during %s leaves no connection open, and the server stays', async (_, start) => {
  const closed: string[] = [];
  let isOpen = false;
  const { url, requests } = await httpServer((_id, _params, response) => {
    response.on('close', () => closed.push('call'));
    if (start !== '') response.writeHead(200, stream).write(start);
    isOpen = true;
  });
  const { manager, call, updates } = mcpWorld({ h: { url: `${url}/mcp` } });
  await manager.connect();
  const controller = new AbortController();
  const running = call('h', 't', {}, controller.signal);
  await until(() => isOpen);
  controller.abort();
  await expect(running).rejects.toMatchObject({ code: 'interrupted' });
  await until(() => closed.length === 1);
  const sent = requests.map(({ body, method }) => (body === '' ? method : JSON.parse(body).method));
  expect(sent).toEqual([
    'initialize',
    'notifications/initialized',
    'GET',
    'tools/list',
    'tools/call',
    'notifications/cancelled',
  ]);
  expect(updates.map(({ state }) => state)).toEqual(['connecting', 'connected']);
});

test('many calls with one signal give no warning', async () => {
  const warnings: Error[] = [];
  const listen = (warning: Error) => void warnings.push(warning);
  process.on('warning', listen);
  onTestFinished(() => void process.off('warning', listen));
  const { url } = await httpServer((id, _, response) => response.writeHead(200, stream).end(event(id, text('well'))));
  const { manager, call } = mcpWorld({ h: { url: `${url}/mcp` } });
  await manager.connect();
  const { signal } = new AbortController();
  await Promise.all(Array.from({ length: 30 }, () => call('h', 't', {}, signal)));
  await nextTurn();
  expect(warnings).toEqual([]);
});

test('many short events are not a flood', async () => {
  const { url } = await httpServer((id, params, response) => {
    const token = (params._meta as { readonly progressToken: number }).progressToken;
    response.writeHead(200, stream);
    for (let progress = 1; progress <= 1_000; progress++) {
      const message = { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: token, progress } };
      response.write(`data: ${JSON.stringify({ ...message, more: 'y'.repeat(2_000) })}\r\n\r\n`);
    }
    response.end(event(id, text('well')));
  });
  const { manager, call } = mcpWorld({ h: { url: `${url}/mcp` } }, { limits: { maxMessageBytes: 10_000 } });
  await manager.connect();
  expect(await call('h', 't')).toEqual(text('well'));
});

test('short events that arrive singly count once each', async () => {
  const { url } = await httpServer((id, params, response) => {
    const token = (params._meta as { readonly progressToken: number }).progressToken;
    response.writeHead(200, stream);
    let progress = 0;
    const next = (): void => {
      if (++progress > 450) return void response.end(event(id, text('well')));
      const message = { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: token, progress } };
      response.write(`data: ${JSON.stringify(message)}\n\n`, () => setImmediate(next));
    };
    next();
  });
  const { manager, call } = mcpWorld({ h: { url: `${url}/mcp` } });
  await manager.connect();
  const paused = vi.spyOn(globalThis, 'setTimeout');
  expect(await call('h', 't')).toEqual(text('well'));
  const pauses = paused.mock.calls.map(([, delayMs]) => Number(delayMs)).filter((ms) => ms >= 125 && ms < 200);
  paused.mockRestore();
  expect(pauses).toEqual([]);
});

test('a lost session is started again', async () => {
  let isGone = false;
  const { url } = await httpServer((id, _, response) => {
    if (isGone) response.writeHead(404).end();
    else response.writeHead(200, stream).end(event(id, text('well')));
  });
  const { manager, call, stateOf } = mcpWorld({ h: { url: `${url}/mcp` } }, { limits: { reconnectMinMs: 10 } });
  await manager.connect();
  isGone = true;
  await expect(call('h', 't')).rejects.toMatchObject({ code: 'mcp_unavailable' });
  isGone = false;
  await until(() => stateOf('h')?.state === 'connected');
  expect(await call('h', 't')).toEqual(text('well'));
});

test('headers of the config are sent with every request to their origin only', async () => {
  const { url, requests } = await httpServer((id, _, response) =>
    response.writeHead(200, stream).end(event(id, text('well'))),
  );
  const elsewhere = await webServer((_, response) => response.writeHead(302, { location: `${url}/mcp` }).end());
  const headers = { 'X-Own': 'yes' };
  const { manager, stateOf, call } = mcpWorld({
    h: { url: `${url}/mcp`, headers },
    r: { url: elsewhere.url, headers },
  });
  await manager.connect();
  await call('h', 't');
  expect(new Set(requests.map((request) => request.headers['x-own']))).toEqual(new Set(['yes']));
  expect(stateOf('r')?.error).toContain('Redirect');
});

test('headers of the config are not sent to a login address named by the server', async () => {
  const auth = await webServer((_, response) => response.writeHead(404).end());
  const served = await webServer((request, response) => {
    if (!request.url?.startsWith('/.well-known/oauth-protected-resource')) return response.writeHead(401).end();
    const named = { resource: `${served.url}/mcp`, authorization_servers: [auth.url] };
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(named));
  });
  const headers = { 'X-Own': 'yes' };
  const { manager } = mcpWorld({ h: { url: `${served.url}/mcp`, headers, authProvider: authProviderOf(() => {}) } });
  await manager.connect();
  const sent = (requests: typeof auth.requests) => new Set(requests.map((request) => request.headers['x-own']));
  expect([sent(served.requests), sent(auth.requests)]).toEqual([new Set(['yes']), new Set([undefined])]);
});

test.each(['http', 'sse'] as const)('a login required over %s without configuration is reported', async (type) => {
  const { url } = await httpServer(
    () => {},
    () => 401,
  );
  const { manager, call } = mcpWorld({ h: { type, url: `${url}/mcp` } });
  await manager.connect();
  await expect(call('h', 't')).rejects.toMatchObject({
    code: 'mcp_unavailable',
    message: expect.stringContaining('is failed: The server requires a login (HTTP 401). Set authProvider'),
  });
});

function authProviderOf(redirectToAuthorization: McpAuthProvider['redirectToAuthorization']): McpAuthProvider {
  let kept: Awaited<ReturnType<McpAuthProvider['tokens']>>;
  let verifier = '';
  return {
    redirectUrl: 'http://127.0.0.1/back',
    clientMetadata: { redirect_uris: ['http://127.0.0.1/back'] },
    clientInformation: () => ({ client_id: 'toolwright' }),
    tokens: () => kept,
    saveTokens: (saved) => {
      kept = saved;
    },
    redirectToAuthorization,
    saveCodeVerifier: (saved) => {
      verifier = saved;
    },
    codeVerifier: () => verifier,
  };
}

/** A server that requires a login, and an authorization server that issues these tokens, one for each code. */
async function loginWorld(tokensGiven: readonly string[], statusFor: Parameters<typeof httpServer>[1]) {
  const served = await httpServer(
    (id, _, response) => response.writeHead(200, stream).end(event(id, text('well'))),
    statusFor,
  );
  let given = 0;
  const auth = await webServer((request, response) => {
    const json = (body: unknown) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.url?.includes('oauth-authorization-server') === true)
      return json({
        issuer: auth.url,
        authorization_endpoint: `${auth.url}/authorize`,
        token_endpoint: `${auth.url}/token`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
      });
    if (request.url === '/token') return json({ access_token: tokensGiven[given++], token_type: 'Bearer' });
    return response.writeHead(404).end();
  });
  const visited: string[] = [];
  const authProvider = authProviderOf((url) => void visited.push(url.href));
  // Without a resource metadata address, the server itself is asked for its authorization server.
  const front = await webServer((request, response) => {
    const isAuth = request.url?.startsWith('/.well-known') === true || request.url === '/token';
    const target = isAuth ? auth.url : served.url;
    const body = front.requests.at(-1)?.body;
    const { host: _, 'content-length': __, 'transfer-encoding': ___, connection: ____, ...rest } = request.headers;
    const init = { method: request.method ?? 'GET', headers: rest as Record<string, string> };
    fetch(`${target}${request.url}`, body ? { ...init, body } : init)
      .then(async (answer) => {
        const answered = (await answer.text()).replaceAll(auth.url, front.url);
        const passed = ['content-type', 'www-authenticate'].map((name) => [name, answer.headers.get(name) ?? '']);
        response.writeHead(answer.status, Object.fromEntries(passed)).end(answered);
      })
      .catch(() => response.destroy());
  });
  return { ...mcpWorld({ h: { url: `${front.url}/mcp`, authProvider } }), visited, front };
}

const tokens = ['first', 'second'].map((name) => ['made', 'for', 'the', name].join('-'));

test('a login is finished with the code from the person', async () => {
  const { manager, call, stateOf, visited, front } = await loginWorld(tokens, (authorization) =>
    authorization === `Bearer ${tokens[0]}` ? 200 : 401,
  );
  await manager.connect();
  expect(stateOf('h')).toMatchObject({ state: 'failed', error: expect.stringContaining('finishAuth("h", code)') });
  expect(visited).toEqual([expect.stringContaining(`${front.url}/authorize`)]);
  await manager.finishAuth('h', 'the-code');
  expect(await call('h', 't')).toEqual(text('well'));
  // The tokens must never be shown.
  expect(manager.secrets()).toEqual([tokens[0]]);
  await expect(manager.finishAuth('h', 'again')).rejects.toMatchObject({ code: 'not_configured' });
});

test('the login of a server that was removed cannot be finished for another server of its name', async () => {
  const { manager } = await loginWorld(tokens, () => 401);
  await manager.connect();
  await manager.remove('h');
  await manager.add('h', { command: 'no-such-program-anywhere' });
  await expect(manager.finishAuth('h', 'the-code')).rejects.toMatchObject({ code: 'not_configured' });
});

test('a call may need a wider scope, which a login during the session gives', async () => {
  const { manager, call, stateOf, visited, updates } = await loginWorld(tokens, (authorization, body) => {
    if (authorization === undefined) return 401;
    return body.includes('tools/call') && authorization !== `Bearer ${tokens[1]}` ? 403 : 200;
  });
  await manager.connect();
  await manager.finishAuth('h', 'the-code');
  const told = updates.length;
  await expect(call('h', 't')).rejects.toMatchObject({
    code: 'mcp_unavailable',
    message: expect.stringContaining('finishAuth("h", code)'),
  });
  expect(new URL(visited.at(-1) ?? '').searchParams.get('scope')).toBe('more');
  expect(stateOf('h')?.state).toBe('connected');
  await manager.finishAuth('h', 'another-code');
  expect(await call('h', 't')).toEqual(text('well'));
  // Toolkits learn the new secret; the server stays connected.
  expect(updates.slice(told)).toEqual([{ server: 'h', state: 'connected' }]);
  expect(manager.secrets()).toEqual(tokens);
});
