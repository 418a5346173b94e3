import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { CallScope } from '../core/context.js';
import { startTimer } from '../core/support/timers.js';
import type { HttpClient } from '../ports/http-client.js';
import { refuses } from './file-system-trial.js';
import { conformanceKit, type Disposable, newScope, same, within } from './kit.js';

/** An HTTP client that is allowed to connect to loopback. */
export interface HttpClientSubject extends Disposable {
  readonly http: HttpClient;
}

type Body = (http: HttpClient, base: string, scope: CallScope) => Promise<void>;

/** The requirements of WebFetch for an HTTP client. Each case starts a server on loopback. */
export const httpClientConformance = conformanceKit<HttpClientSubject>({
  'a response has its status, media type, charset and bytes': served(async (http, base, scope) => {
    const page = await http.get({ url: `${base}/page` }, scope);
    same([page.status, page.mediaType, page.charset?.toLowerCase()], [200, 'text/html', 'utf-8']);
    assert.equal(Buffer.from(page.body).toString(), 'ü');
    assert.equal(page.headers['x-own'], 'One');
  }),
  'a compressed body is decompressed': served(async (http, base, scope) => {
    const { body } = await http.get({ url: `${base}/gzip` }, scope);
    assert.equal(Buffer.from(body).toString(), 'squeezed');
  }),
  'redirects are followed and listed in the response': served(async (http, base, scope) => {
    const page = await http.get({ url: `${base}/moved` }, scope);
    assert.equal(page.url, `${base}/page`);
    assert.equal(page.redirects.length, 1);
  }),
  'an endless chain of redirects fails': served(async (http, base, scope) => {
    await refuses(within(http.get({ url: `${base}/loop` }, scope), 'redirects must end'));
  }),
  'headers and a body are sent': served(async (http, base, scope) => {
    const request = { url: `${base}/echo`, headers: { 'x-mine': 'yes' }, body: 'ü' };
    const { body } = await http.post(request, scope);
    same(JSON.parse(Buffer.from(body).toString()), { method: 'POST', mine: 'yes', body: 'ü' });
  }),
  'a status from 400 up fails with http_error and the status': served(async (http, base, scope) => {
    const thrown = await refuses(http.get({ url: `${base}/missing` }, scope), 'http_error');
    assert.equal(thrown.metadata?.status, 404);
  }),
  'a body that is too large is refused': served(async (http, base, scope) => {
    await refuses(http.get({ url: `${base}/large`, maxBytes: 1_000 }, scope), 'file_too_large');
  }),
  'an unreachable server fails with network_failed': served(async (http, base, scope) => {
    const port = Number(new URL(base).port);
    await refuses(http.get({ url: `http://127.0.0.1:${port === 1 ? 2 : 1}/` }, scope), 'network_failed');
  }),
  'a URL that is invalid, or whose scheme is not http or https, is refused': served(async (http, _base, scope) => {
    for (const url of ['file:///etc/hosts', 'nothing', 'ftp://127.0.0.1/']) await refuses(http.get({ url }, scope));
  }),
  'an abort ends a request': served(async (http, base) => {
    const controller = new AbortController();
    const get = http.get({ url: `${base}/slow` }, newScope('conformance', controller.signal));
    startTimer(() => controller.abort(), 50);
    await refuses(within(get, 'an aborted request must end'));
  }),
});

function served(body: Body): (subject: HttpClientSubject, scope: CallScope) => Promise<void> {
  return async ({ http }, scope) => {
    const server = createServer((request, response) => void respond(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      await body(http, `http://127.0.0.1:${(server.address() as AddressInfo).port}`, scope);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  };
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const send = (status: number, headers: Record<string, string>, body: string | Buffer = '') =>
    response.writeHead(status, headers).end(body);
  switch (request.url) {
    case '/page':
      return void send(200, { 'content-type': 'Text/HTML; charset=UTF-8', 'X-Own': 'One' }, 'ü');
    case '/gzip':
      return void send(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }, gzipSync('squeezed'));
    case '/moved':
      return void send(302, { location: '/page' });
    case '/loop':
      return void send(302, { location: '/loop' });
    case '/large':
      return void send(200, { 'content-type': 'text/plain' }, 'x'.repeat(100_000));
    case '/slow':
      return;
    case '/echo': {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { method, headers } = request;
      const echoed = { method, mine: headers['x-mine'], body: Buffer.concat(chunks).toString() };
      return void send(200, { 'content-type': 'application/json' }, JSON.stringify(echoed));
    }
    default:
      return void send(404, { 'content-type': 'text/plain' }, 'nothing here');
  }
}
