import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { createPermissions, type ToolEvent } from 'toolwright';
import { canvasServer, canvasTool } from 'toolwright/extras/canvas';
import { expect, onTestFinished, test } from 'vitest';
import { eachRow } from '../support/each-row.js';
import { testToolkit } from '../support/test-toolkit.js';
import { until } from '../support/until.js';

async function serving() {
  const server = await canvasServer();
  onTestFinished(() => server.dispose());
  const events: ToolEvent[] = [];
  const toolkit = testToolkit({
    permissions: createPermissions({ allow: ['canvas'] }),
    onEvent: (event) => void events.push(event),
  });
  toolkit.registry.register(canvasTool(server, toolkit));
  const call = (input: object, sessionId = 's1') => toolkit.call('canvas', input, { caller: { sessionId } });
  return { server, toolkit, call, back: () => events.filter(({ type }) => type === 'canvas-event') };
}

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

async function open(url: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<IncomingMessage> {
  const sent = request(url, { method, headers });
  sent.on('error', () => {});
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

async function read(url: string, sent?: Sent) {
  const response = await open(url, sent);
  let body = '';
  for await (const part of response) body += part;
  return { status: response.statusCode, headers: response.headers, body };
}

/** The events that a page of a session gets. */
async function watching(url: string) {
  const heard: unknown[] = [];
  const response = await open(`${url}events`);
  response.setEncoding('utf8').on('error', () => {});
  response.on('data', (text: string) => {
    for (const [, json = ''] of text.matchAll(/^data: (.*)$/gm)) heard.push(JSON.parse(json));
  });
  onTestFinished(() => void response.destroy());
  return { heard, response };
}

const inFrame = { headers: { 'sec-fetch-dest': 'iframe' } };

test('a canvas is served under its address, with updates', async () => {
  const { server, call } = await serving();
  expect((await read(server.url)).body).toContain('Nothing is shown yet');
  const url = server.urlOf('s1');
  const { heard } = await watching(url);
  const shown = await call({ action: 'show', html: '<p>Hello</p>', data: 1 });
  expect(shown).toMatchObject({ metadata: { url, pages: 1 } });
  expect(shown.output).toContain(`${url} (1 open)`);
  await call({ action: 'update', data: 2 });
  await call({ action: 'clear' });
  await until(() => heard.length === 4);
  expect(heard).toEqual([
    { ids: [], changed: [] },
    { ids: ['main'], changed: [{ id: 'main', version: 1, data: 1 }] },
    { ids: ['main'], changed: [{ id: 'main', version: 1, data: 2 }] },
    { ids: [], changed: [] },
  ]);
  expect(await read(url)).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
  await call({ action: 'show', html: '<p>Again</p>' });
  expect(await read(server.url)).toMatchObject({ status: 302, headers: { location: new URL(url).pathname } });
  expect((await read(`${url}frame/main?2`, inFrame)).body).toContain('<p>Again</p>');
});

test('sessions see only their own canvases', async () => {
  const { server, call } = await serving();
  await call({ action: 'show', html: 'mine' });
  await call({ action: 'show', html: 'theirs', id: 'other' }, 's2');
  const [one, two] = [server.urlOf('s1'), server.urlOf('s2')];
  expect(one).not.toContain(new URL(two).pathname);
  expect(one).not.toContain(new URL(server.url).pathname);
  expect((await read(`${one}frame/main`, inFrame)).body).toContain('mine');
  expect(await read(`${one}frame/other`, inFrame)).toMatchObject({ status: 404 });
  const { heard } = await watching(one);
  await call({ action: 'update', data: 1, id: 'other' }, 's2');
  await call({ action: 'update', data: 1 });
  await until(() => heard.length === 2);
  expect(JSON.stringify(heard)).not.toContain('other');
  expect(await call({ action: 'snapshot', id: 'other' })).toMatchObject({ error: { code: 'no_match' } });
  expect((await read(server.url)).body).toMatch(/<li><a href="[^"]+">s2<\/a><\/li><li><a href="[^"]+">s1</);
});

test('requests with a foreign origin, host or path are refused', async () => {
  const { server, call, back } = await serving();
  await call({ action: 'show', html: 'mine' });
  const url = server.urlOf('s1');
  const { port } = new URL(url);
  const post = (headers: Record<string, string>, body = '{"id":"main","event":1}') => ({
    ...{ method: 'POST', body },
    headers: { 'content-type': 'application/json', ...headers },
  });
  const origin = `http://127.0.0.1:${port}`;
  const rows: readonly (readonly [at: string, sent: Sent, status: number])[] = [
    [url, { headers: { host: `rebound.example:${port}` } }, 403],
    [url, { headers: { host: '127.0.0.1' } }, 403],
    [url, { headers: { host: `localhost:${port}` } }, 200],
    [server.url, { headers: { host: `rebound.example:${port}` } }, 403],
    [`${origin}/`, {}, 404],
    [`${origin}/${'0'.repeat(32)}/`, {}, 404],
    [`${server.url}events`, {}, 404],
    [`${server.url}frame/main`, inFrame, 404],
    [`${url}frame/main`, {}, 403],
    [`${url}frame/main`, { headers: { 'sec-fetch-dest': 'document' } }, 403],
    [`${url}frame/none`, inFrame, 404],
    [`${url}other`, {}, 404],
    [url, { method: 'DELETE' }, 405],
    [`${url}event`, {}, 404],
    [`${url}event`, post({}), 403],
    [`${url}event`, post({ origin: 'https://example.com' }), 403],
    [`${url}event`, post({ origin: 'null' }), 403],
    [`${server.url}event`, post({ origin }), 404],
    [`${url}event`, post({ origin }, 'no JSON'), 400],
    [`${url}event`, post({ origin }, 'null'), 400],
    [`${url}event`, post({ origin }, '{"id":"other","event":1}'), 400],
    [`${url}event`, post({ origin }, JSON.stringify({ id: 'main', event: 'x'.repeat(20_000) })), 400],
  ];
  await eachRow(rows, async ([at, sent, status]) => {
    expect(await read(at, sent)).toMatchObject({ status });
  });
  expect(back()).toEqual([]);
  expect(await read(`${url}event`, post({ origin }))).toMatchObject({ status: 204 });
  expect(back()).toEqual([{ type: 'canvas-event', sessionId: 's1', id: 'main', event: 1 }]);
});

test('a listener that throws affects neither the event nor the program', async () => {
  const { server, call, back } = await serving();
  server.subscribe(() => {
    throw new Error('no line');
  });
  server.subscribe((() => Promise.reject(new Error('no answer'))) as never);
  await call({ action: 'show', html: 'x' });
  const body = JSON.stringify({ id: 'main', event: 1 });
  const sent = { method: 'POST', headers: { origin: new URL(server.url).origin }, body };
  expect((await read(`${server.urlOf('s1')}event`, sent)).status).toBe(204);
  expect((await read(`${server.urlOf('s1')}event`, sent)).status).toBe(204);
  expect(back()).toHaveLength(2);
});

test('pages of a session are limited, and end with the server', async () => {
  const { server, toolkit } = await serving();
  const url = server.urlOf('s1');
  const pages: Awaited<ReturnType<typeof watching>>[] = [];
  for (let count = 0; count < 10; count++) pages.push(await watching(url));
  expect(await read(`${url}events`)).toMatchObject({ status: 429 });
  const closed = pages.map(({ response }) => new Promise((resolve) => void response.once('close', resolve)));
  await toolkit.dispose();
  await Promise.all(closed);
  await expect(fetch(url)).rejects.toThrow();
  await server.dispose();
});

test('an ended session shows nothing, and a new one shows in the open pages', async () => {
  const { server, toolkit, call } = await serving();
  await call({ action: 'show', html: 'first' });
  const url = server.urlOf('s1');
  const { heard } = await watching(url);
  await toolkit.endSession('s1');
  await call({ action: 'show', html: 'second' });
  await until(() => heard.length === 3);
  expect(heard.slice(1)).toEqual([
    { ids: [], changed: [] },
    { ids: ['main'], changed: [{ id: 'main', version: 2 }] },
  ]);
  await call({ action: 'show', html: 'x' }, 's2');
  const other = server.urlOf('s2');
  await toolkit.endSession('s2');
  expect(await read(other)).toMatchObject({ status: 404 });
});

test('a used port is reported', async () => {
  const { server } = await serving();
  await expect(canvasServer({ port: Number(new URL(server.url).port) })).rejects.toThrow('EADDRINUSE');
});
