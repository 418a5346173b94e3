import type { RequestListener } from 'node:http';
import { createPermissions } from 'toolwright';
import { messageTool, webhookMessenger } from 'toolwright/extras/message';
import { createHttpClient } from 'toolwright/web';
import { expect, test } from 'vitest';
import { eachRow } from '../support/each-row.js';
import { heldTimers } from '../support/held-timers.js';
import { testToolkit } from '../support/test-toolkit.js';
import { until } from '../support/until.js';
import { webServer } from '../support/web-server.js';

const secrets = ['very-private-part', 'very-private-header'] as const;
const timers = heldTimers();
const http = createHttpClient({ allowPrivate: ['127.0.0.1'], limits: { timeoutMs: 90_000 }, timers });

/** A webhook service on this machine, the tool that uses it, and the texts that people and programs saw. */
async function served(serve: RequestListener) {
  const { url, requests } = await webServer(serve);
  const seen: unknown[] = [];
  const toolkit = testToolkit({
    permissions: createPermissions({ allow: ['message'] }),
    onEvent: (event) => seen.push(event),
  });
  const team = { url: `${url}/hooks/${secrets[0]}`, headers: { 'x-key': secrets[1] } };
  toolkit.registry.register(messageTool(webhookMessenger({ channels: { team }, http }), toolkit));
  const call = async (input: object = {}, signal?: AbortSignal) => {
    const result = await toolkit.call('message', { channel: 'team', text: 'Done.', ...input }, { signal });
    seen.push(result);
    return result;
  };
  return { requests, seen, call };
}

const answering = (status: number, headers = {}): RequestListener => {
  return (request, response) =>
    void response.writeHead(status, headers).end(`no: ${request.url} with ${request.headers['x-key']}`);
};

test('a message is posted once to its webhook, with the headers of the webhook', async () => {
  const { requests, call, seen } = await served(answering(204));
  const token = ['ghp', 'roW0YFxDqcPLFAKEhnn6CpteeaZYNRvC9ndx'].join('_');
  expect((await call({ text: `Done with ${token}.` })).output).toBe('Sent to team');
  expect(requests).toMatchObject([
    {
      method: 'POST',
      url: `/hooks/${secrets[0]}`,
      headers: { 'content-type': 'application/json', 'x-key': secrets[1] },
      body: expect.stringMatching(/^\{"text":"Done with \[.*\]\."\}$/),
    },
  ]);
  for (const secret of [...secrets, token]) expect(JSON.stringify(seen)).not.toContain(secret);
});

test('a failing webhook is reported with its status only, and called once', async () => {
  const rows: readonly (readonly [serve: RequestListener, code: string, message: string])[] = [
    [answering(400), 'http_error', 'http_error (status 400). Tell the user.'],
    [answering(401), 'http_error', '(status 401)'],
    [answering(404), 'http_error', '(status 404)'],
    [answering(429, { 'retry-after': '7' }), 'http_error', '(status 429)'],
    [answering(500), 'http_error', '(status 500)'],
    [answering(302, { location: 'http://10.0.0.1/' }), 'url_blocked', 'failed: url_blocked. Tell the user.'],
    // The redirected request is a GET without the message.
    [
      (request, response) =>
        void response.writeHead(request.method === 'POST' ? 302 : 200, { location: '/moved' }).end('Welcome'),
      'http_error',
      'redirects',
    ],
    [(_request, response) => void response.destroy(), 'network_failed', 'It may have arrived'],
    [(_request, response) => void response.socket?.end('garbage\r\n\r\n'), 'network_failed', 'It may have arrived'],
  ];
  await eachRow(
    rows,
    async ([serve, code, message]) => {
      const { requests, call, seen } = await served(serve);
      const result = await call();
      expect(result).toMatchObject({ ok: false, error: { code } });
      expect(result.output).toContain(message);
      expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
      for (const secret of secrets) expect(JSON.stringify(seen)).not.toContain(secret);
    },
    ([, , message]) => message,
  );
});

test('a response that is not text, or does not end, does not fail a delivered message', async () => {
  const { call } = await served((_request, response) => void response.end(Buffer.from([0xff, 0xfe, 0x00, 0x80])));
  expect((await call()).output).toBe('Sent to team');
});

test('a webhook that hangs ends with the call, or at its time limit', async () => {
  let closed = 0;
  const { requests, call, seen } = await served((_request, response) => {
    response.on('close', () => {
      closed += 1;
    });
  });
  const control = new AbortController();
  const aborted = call({}, control.signal);
  await until(() => requests.length === 1);
  control.abort();
  expect(await aborted).toMatchObject({ error: { code: 'interrupted' } });
  await until(() => closed === 1);
  const late = call();
  await until(() => requests.length === 2);
  await timers.fire(90_000);
  expect((await late).output).toContain('timeout. It may have arrived');
  await until(() => closed === 2);
  for (const secret of secrets) expect(JSON.stringify(seen)).not.toContain(secret);
});
