import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect as connectSocket, createServer as createSocketServer } from 'node:net';
import { duplexPair } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { createHttpClient } from 'toolwright';
import { fakeTimers } from 'toolwright/testing';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { HttpClientOptions } from '../../src/index.js';
import { callScope } from '../support/call-scope.js';
import { webServer } from '../support/web-server.js';
import { webWorld } from '../support/web-world.js';

const scope = callScope();
const text = ({ body }: { readonly body: Uint8Array }) => new TextDecoder().decode(body);

/** A client that may reach the servers of the test. */
const local = (options: HttpClientOptions = {}) => createHttpClient({ allowPrivate: true, ...options });

/** A server that sends these bytes to every connection, and then closes it unless it should stay open. */
async function rawServer(answer: string, isOpen = false): Promise<string> {
  const server = createSocketServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => (isOpen ? socket.write(answer) : socket.end(answer)));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const redirect =
  (status: number, location: string): RequestListener =>
  (request, response) =>
    void (request.url === '/' ? response.writeHead(status, { location }).end('moved') : response.end('there'));

describe('a request', () => {
  test('returns its final address, the headers and the body', async () => {
    const { url, requests } = await webServer((_request, response) => {
      response
        .writeHead(203, { 'content-type': 'Text/HTML; Charset="ISO-8859-2"', 'x-twice': ['a', 'b'] })
        .end('hello');
    });
    const answer = await local().get(
      { url: `${url}/a?b=c d#e`, headers: { 'X-Mine': 'yes', Accept: 'text/html' } },
      scope,
    );
    expect(answer).toMatchObject({
      url: `${url}/a?b=c%20d#e`,
      status: 203,
      mediaType: 'text/html',
      charset: 'ISO-8859-2',
      redirects: [],
    });
    expect(answer.headers).toMatchObject({ 'content-type': 'Text/HTML; Charset="ISO-8859-2"', 'x-twice': 'a, b' });
    expect(text(answer)).toBe('hello');
    expect(requests).toMatchObject([{ method: 'GET', url: '/a?b=c%20d' }]);
    expect(requests[0]?.headers).toMatchObject({ 'x-mine': 'yes', accept: 'text/html', 'user-agent': 'toolwright' });
  });

  test('without a content type has an unknown type, and may be empty', async () => {
    const { url } = await webServer((_request, response) => void response.writeHead(204).end());
    const answer = await local().get({ url }, scope);
    expect(answer).toMatchObject({ status: 204, mediaType: 'application/octet-stream' });
    expect(answer).not.toHaveProperty('charset');
    expect(answer.body).toHaveLength(0);
  });

  test('sends a body if it is a POST', async () => {
    const { url, requests } = await webServer((_request, response) => void response.end());
    await local({ userAgent: 'mine/1' }).post({ url, headers: { 'content-type': 'text/plain' }, body: 'grüße' }, scope);
    await local().post({ url, body: new Uint8Array([104, 105]) }, scope);
    await local().post({ url, body: '' }, scope);
    expect(requests).toMatchObject([{ method: 'POST', body: 'grüße' }, { body: 'hi' }, { method: 'POST', body: '' }]);
    expect(requests[0]?.headers).toMatchObject({ 'content-type': 'text/plain', 'user-agent': 'mine/1' });
  });

  test('accepts headers with names of Object.prototype', async () => {
    const url = await rawServer(
      'HTTP/1.1 200 OK\r\n__proto__: a\r\n__proto__: b\r\nconstructor: c\r\nhasOwnProperty: d\r\n\r\nhi',
    );
    const { headers, body } = await local().get({ url }, scope);
    expect(Object.entries(headers)).toEqual([
      ['__proto__', 'a, b'],
      ['constructor', 'c'],
      ['hasownproperty', 'd'],
    ]);
    expect(text({ body })).toBe('hi');
  });

  test('with an invalid header throws', async () => {
    const { url } = await webServer((_request, response) => void response.end());
    await expect(local().get({ url, headers: { 'x-a': 'b\r\nx-c: d' } }, scope)).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });

  test('uses no proxy of the environment', async () => {
    const proxy = await webServer((_request, response) => void response.end());
    for (const name of ['http_proxy', 'HTTP_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'])
      vi.stubEnv(name, name.startsWith('NODE') ? '1' : proxy.url);
    const { url } = await webServer((_request, response) => void response.end('direct'));
    expect(text(await local().get({ url }, scope))).toBe('direct');
    expect(proxy.requests).toEqual([]);
  });
});

describe('a redirect', () => {
  test.each([301, 302, 303, 307, 308])('of %i is followed, and listed', async (status) => {
    const { url, requests } = await webServer(redirect(status, '/there?x'));
    const answer = await local().get({ url, headers: { authorization: 'x' } }, scope);
    expect(answer).toMatchObject({ url: `${url}/there?x`, redirects: [`${url}/`] });
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(['x', 'x']);
  });

  test.each([
    [301, 'GET'],
    [302, 'GET'],
    [303, 'GET'],
    [307, 'POST'],
    [308, 'POST'],
  ])('of %i makes a POST a %s', async (status, method) => {
    const { url, requests } = await webServer(redirect(status, '/there'));
    await local().post({ url, headers: { 'content-type': 'text/plain' }, body: 'hi' }, scope);
    expect(requests[1]).toMatchObject({ method, body: method === 'POST' ? 'hi' : '' });
    expect(requests[1]?.headers['content-type']).toBe(method === 'POST' ? 'text/plain' : undefined);
  });

  test('to another origin sends no credentials and no body', async () => {
    const other = await webServer((_request, response) => void response.end('other'));
    const { url } = await webServer(
      (request, response) =>
        void response.writeHead(request.method === 'GET' ? 302 : 307, { location: other.url }).end(),
    );
    const headers = { Authorization: 'a', Cookie: 'b', 'X-Api-Key': 'c', 'Accept-Language': 'de' };
    expect(text(await local().get({ url, headers }, scope))).toBe('other');
    expect(other.requests[0]?.headers).toMatchObject({ 'accept-language': 'de', 'user-agent': 'toolwright' });
    expect(Object.keys(other.requests[0]?.headers ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/authorization|cookie|x-api-key/)]),
    );
    await expect(local().post({ url, body: 'secret' }, scope)).rejects.toMatchObject({ code: 'url_blocked' });
    expect(other.requests).toHaveLength(1);
  });

  test('to a private address is never requested', async () => {
    const { url, port, requests } = await webServer((request, response) => {
      response
        .writeHead(302, { location: `http://127.0.0.1:${(request.socket.address() as AddressInfo).port}/inside` })
        .end();
    });
    const client = createHttpClient({ lookup: async () => ['127.0.0.1'], allowPrivate: ['good.example'] });
    await expect(client.get({ url: `http://good.example:${port}/` }, scope)).rejects.toMatchObject({
      code: 'url_blocked',
    });
    expect(requests.map((request) => request.url)).toEqual(['/']);
    expect(url).toContain('127.0.0.1');
  });

  test('fails beyond the maximum number', async () => {
    const { url, requests } = await webServer(
      (_request, response) => void response.writeHead(302, { location: '/' }).end(),
    );
    await expect(local().get({ url }, scope)).rejects.toMatchObject({
      code: 'http_error',
      message: expect.stringContaining('too many'),
    });
    expect(requests).toHaveLength(6);
    await expect(local({ limits: { web: { maxRedirects: 0 } } }).get({ url }, scope)).rejects.toMatchObject({
      code: 'http_error',
    });
    expect(requests).toHaveLength(7);
  });

  test('without a location is an ordinary response', async () => {
    const { url } = await webServer((_request, response) => void response.writeHead(304).end());
    expect((await local().get({ url }, scope)).status).toBe(304);
  });

  test('to another host is returned if the caller wants to stay, unless that host is allowed by name', async () => {
    const { port } = await webServer((request, response) => {
      const location = request.url === '/far' ? `//b.example:${port}/there` : '/there';
      if (request.url === '/there') response.end('there');
      else response.writeHead(302, { location }).end();
    });
    const lookup = async () => ['127.0.0.1'];
    const get = (path: string, options: HttpClientOptions = {}) =>
      local({ lookup, ...options }).get({ url: `http://a.example:${port}${path}`, staysOnHost: true }, scope);
    expect(await get('/far')).toMatchObject({
      status: 302,
      url: `http://a.example:${port}/far`,
      headers: { location: `http://b.example:${port}/there` },
    });
    expect(await get('/near')).toMatchObject({ status: 200 });
    expect(await get('/far', { allowHosts: ['a.example', 'b.example'] })).toMatchObject({
      status: 200,
      url: `http://b.example:${port}/there`,
    });
  });
});

describe('a response with', () => {
  test.each([400, 401, 403, 404, 410, 418, 500, 503])('status %i is an error that says so', async (status) => {
    const { url } = await webServer(
      (_request, response) => void response.writeHead(status, { 'x-why': 'because' }).end('x'.repeat(100_000)),
    );
    const error = await local()
      .get({ url }, scope)
      .catch((thrown) => thrown);
    expect(error).toMatchObject({
      code: 'http_error',
      message: expect.stringContaining(`HTTP ${status} from 127.0.0.1. `),
      retryable: false,
    });
    expect(error.metadata).toMatchObject({
      status,
      url: `${url}/`,
      headers: { 'x-why': 'because' },
      body: 'x'.repeat(2_000),
    });
  });

  test('status 429 keeps the requested pause', async () => {
    vi.setSystemTime('2030-01-01T00:00:00Z');
    onTestFinished(() => void vi.useRealTimers());
    const pauses = {
      '7': 7_000,
      'Tue, 01 Jan 2030 00:01:00 GMT': 60_000,
      'Mon, 01 Jan 2029 00:00:00 GMT': undefined,
      soon: undefined,
      '0': undefined,
    };
    for (const [written, retryAfterMs] of Object.entries(pauses)) {
      const { url } = await webServer(
        (_request, response) => void response.writeHead(429, { 'retry-after': written }).end(),
      );
      const error = await local()
        .get({ url }, scope)
        .catch((thrown) => thrown);
      expect({ written, retryAfterMs: error.retryAfterMs, retryable: error.retryable }).toEqual({
        written,
        retryAfterMs,
        retryable: retryAfterMs !== undefined,
      });
    }
  });

  test.each([
    ['nothing', ''],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['half a head', 'HTTP/1.1 200 OK\r\nContent-'],
    ['no body', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n'],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'],
    ['far too long a head', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`],
  ])('%s is a network error', async (_what, answer) => {
    const url = await rawServer(answer);
    await expect(local().get({ url }, scope)).rejects.toMatchObject({ code: 'network_failed', retryable: true });
  });

  test('a truncated body is a partial page, and an error for a POST', async () => {
    const half = 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhi';
    const answer = await local().get({ url: await rawServer(half) }, scope);
    expect(answer).toMatchObject({ body: Uint8Array.of(104, 105), endsEarly: true });
    const posted = local().post({ url: await rawServer(half), body: '{}' }, scope);
    await expect(posted).rejects.toMatchObject({ code: 'network_failed', retryable: true });
  });
});

describe('a connection', () => {
  test('that is refused is a network error', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    await expect(local().get({ url: `http://127.0.0.1:${port}/` }, scope)).rejects.toMatchObject({
      code: 'network_failed',
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  test('is tried at the next address of the host', async () => {
    const { port } = await webServer((_request, response) => void response.end('hello'));
    const tried: string[] = [];
    const client = createHttpClient({
      lookup: async () => ['8.8.8.8', '8.8.8.8', '9.9.9.9'],
      connect: async ({ ip }) => {
        tried.push(ip);
        if (ip === '8.8.8.8') throw new Error('no');
        return connectSocket(port, '127.0.0.1');
      },
    });
    expect(text(await client.get({ url: 'http://x.example/' }, scope))).toBe('hello');
    expect(tried).toEqual(['8.8.8.8', '9.9.9.9']);
  });

  test('that closes before it is used ends the request', async () => {
    const client = createHttpClient({
      lookup: async () => ['8.8.8.8'],
      connect: async () => {
        const [stream] = duplexPair();
        return stream.destroy();
      },
    });
    await expect(client.get({ url: 'http://x.example/' }, scope)).rejects.toMatchObject({ code: 'network_failed' });
  });

  test('is encrypted for the requested name, and refused without a trusted certificate', async () => {
    const { client, connected } = webWorld({ dns: { 'example.org': [['8.8.8.8']] } });
    await expect(client.get({ url: 'https://example.org/' }, scope)).rejects.toMatchObject({
      code: 'network_failed',
      message: expect.stringContaining('DEPTH_ZERO_SELF_SIGNED_CERT'),
    });
    expect(connected).toEqual([{ ip: '8.8.8.8', port: 443, hostname: 'example.org', secure: true }]);
  });
});

describe('the time limit', () => {
  const limits = { timeoutMs: 20 };

  test('ends a connection attempt, and closes a late connection', async () => {
    const [stream] = duplexPair();
    let connect = (_stream: typeof stream) => {};
    const client = createHttpClient({
      lookup: async () => ['8.8.8.8'],
      connect: () =>
        new Promise((resolve) => {
          connect = resolve;
        }),
      limits,
    });
    await expect(client.get({ url: 'http://x.example/' }, scope)).rejects.toMatchObject({
      code: 'timeout',
      retryable: true,
    });
    connect(stream);
    await new Promise((resolve) => stream.once('close', resolve));
  });

  test.each([
    ['head', ''],
    ['head that goes on', 'HTTP/1.1 200 OK\r\n'],
    ['body', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhi'],
    ['body of an error', 'HTTP/1.1 500 Oops\r\nContent-Length: 10\r\n\r\nhi'],
  ])('ends an endless wait for the %s', async (_what, answer) => {
    const url = await rawServer(answer, true);
    await expect(local({ limits }).get({ url }, scope)).rejects.toMatchObject({ code: 'timeout' });
  });

  test('includes a body that arrives byte by byte', async () => {
    const { url } = await webServer((_request, response) => {
      const write = () => {
        if (!response.destroyed && response.write('.')) setImmediate(write);
      };
      write();
    });
    await expect(local({ limits }).get({ url }, scope)).rejects.toMatchObject({ code: 'timeout' });
  });
});

describe('an abort', () => {
  test('before the start makes no connection', async () => {
    const { client, lookups } = webWorld();
    await expect(
      client.get({ url: 'http://x.example/' }, callScope({ signal: AbortSignal.abort() })),
    ).rejects.toMatchObject({ code: 'cancelled' });
    expect(lookups).toEqual([]);
  });

  test.each([
    ['look-up', 0],
    ['connection', 1],
    ['head', 2],
    ['body', 3],
  ])('during the %s ends the request and its connection at once', async (_what, at) => {
    const stop = new AbortController();
    const forever = new Promise<never>(() => {});
    const reach = (phase: number) => {
      if (phase === at) setImmediate(() => stop.abort());
    };
    const [ours, theirs] = duplexPair();
    const server = createServer((_request, response) => {
      if (at === 3) response.write('half');
      reach(2);
      reach(3);
    });
    const client = createHttpClient({
      lookup: async () => {
        reach(0);
        return at === 0 ? forever : ['8.8.8.8'];
      },
      connect: async () => {
        reach(1);
        if (at === 1) return forever;
        server.emit('connection', theirs);
        return ours;
      },
    });
    await expect(client.get({ url: 'http://x.example/' }, callScope({ signal: stop.signal }))).rejects.toMatchObject({
      code: 'interrupted',
    });
    if (at > 1 && !ours.closed) await new Promise((resolve) => ours.once('close', resolve));
  });
});

describe('robots.txt', () => {
  const served = (robots: RequestListener) =>
    webServer((request, response) =>
      request.url === '/robots.txt' ? robots(request, response) : void response.end('page'),
    );
  const disallowing: RequestListener = (_request, response) => void response.end('User-agent: *\nDisallow: /private');
  afterEach(() => void vi.unstubAllEnvs());

  test('is applied on request, fetched once, and not used for POST', async () => {
    const { url, requests } = await served(disallowing);
    const timers = fakeTimers();
    const client = local({ robots: true, limits: { cacheMs: 1_000 }, timers });
    await expect(client.get({ url: `${url}/private/x` }, scope)).rejects.toMatchObject({ code: 'url_blocked' });
    expect(text(await client.get({ url: `${url}/open` }, scope))).toBe('page');
    await client.post({ url: `${url}/private`, body: '' }, scope);
    expect(requests.map((request) => request.url)).toEqual(['/robots.txt', '/open', '/private']);
    await timers.advance(1_000);
    await client.get({ url: `${url}/open` }, scope);
    expect(requests.filter((request) => request.url === '/robots.txt')).toHaveLength(2);
    expect(text(await local().get({ url: `${url}/private/x` }, scope))).toBe('page');
  });

  test.each([
    ['that is not there allows everything', 404, 'page'],
    ['that is not for us allows everything', 403, 'page'],
    ['of a server in trouble allows nothing', 503, 'url_blocked'],
  ])('%s', async (_what, status, wanted) => {
    const { url } = await served((_request, response) => void response.writeHead(status).end());
    expect(
      await local({ robots: true })
        .get({ url: `${url}/x` }, scope)
        .then(text, (error) => error.code),
    ).toBe(wanted);
  });

  test('is read beyond 500 KiB, without a last line that was cut', async () => {
    const comment = `${'#'.repeat(99)}\n`;
    const filled = (start: string, size: number) => `${start.padEnd(size - 1, comment)}\n`;
    const { url } = await served((_request, response) => {
      const known = `${filled('User-agent: *\n', 501_000)}Disallow: /private\n`;
      const cut = 'Disallow: /';
      // The limit of 512,000 bytes falls behind the slash.
      response.end(`${filled(known, 512_000 - cut.length)}${cut}only-this\n`);
    });
    const client = local({ robots: true });
    await expect(client.get({ url: `${url}/private/x` }, scope)).rejects.toMatchObject({ code: 'url_blocked' });
    expect(text(await client.get({ url: `${url}/open` }, scope))).toBe('page');
  });

  test('is read up to the limit if it is compressed', async () => {
    const { url } = await served((_request, response) => {
      const body = gzipSync(`User-agent: *\nDisallow: /private\n${`${'#'.repeat(99)}\n`.repeat(120_000)}`);
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(body);
    });
    const client = local({ robots: true });
    await expect(client.get({ url: `${url}/private/x` }, scope)).rejects.toMatchObject({ code: 'url_blocked' });
    expect(text(await client.get({ url: `${url}/open` }, scope))).toBe('page');
  });

  test('is fetched for each host of a redirect, and read up to the limit', async () => {
    const other = await served(
      (_request, response) => void response.end(`User-agent: *\nDisallow: /x\n${'#'.repeat(600_000)}\nAllow: /x/y`),
    );
    const { url } = await webServer((request, response) =>
      request.url === '/robots.txt'
        ? void response.end()
        : void response.writeHead(302, { location: `${other.url}/x/y` }).end(),
    );
    await expect(local({ robots: true }).get({ url }, scope)).rejects.toMatchObject({ code: 'url_blocked' });
    expect(other.requests.map((request) => request.url)).toEqual(['/robots.txt']);
  });
});

test.each([
  [{ allowHost: ['x'] }, 'allowHost is no option. Did you mean "allowHosts"?'],
  [{ allowHosts: 'example.com' }, 'allowHosts takes a list of host names'],
  [{ allowHosts: ['https://example.com/'] }, 'allowHosts takes a list of host names'],
  [{ denyHosts: ['*'] }, 'denyHosts takes a list of host names'],
  [{ allowPrivate: 'yes' }, 'allowPrivate takes true, false or a list of host names'],
  [{ robots: 'no' }, 'robots takes true or false'],
  [{ timers: {} }, 'timers takes timers, which has now, set, clear, random'],
  [
    { userAgent: 'a\r\nb' },
    'userAgent takes a line of printable ASCII characters, such as my-agent/1.0, not "a\\r\\nb"',
  ],
  [{ userAgent: 'büro/1' }, 'userAgent takes a line of printable ASCII characters, such as my-agent/1.0, not "büro/1"'],
  [{ lookup: 1 }, 'lookup takes a function'],
  [{ limits: { timeoutMS: 1 } }, 'limits.web.timeoutMS is not a limit'],
  [{ limits: { web: { maxBytes: -1 } } }, 'limits.web.maxBytes must be a number from 0 up'],
])('options such as %j are rejected', (options, message) =>
  expect(() => createHttpClient(options as never)).toThrow(
    expect.objectContaining({ name: 'TypeError', message: expect.stringContaining(message) }),
  ),
);
