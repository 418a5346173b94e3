import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { loadPlaywright } from '../../src/extras/browser/playwright.js';
import { childrenOf, readProcess } from '../../src/shell/run/process-table.js';
import { chromiumWorld, hasChromium } from '../support/chromium-world.js';

/** A server at a private address, which no page may reach. */
async function hiddenServer() {
  const seen: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    seen.push(request.url);
    response.end('secret');
  });
  server.on('upgrade', ({ url }, socket) => {
    seen.push(url);
    socket.destroy();
  });
  await once(server.listen(0, '127.0.0.2'), 'listening');
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.2:${(server.address() as AddressInfo).port}`, seen };
}

describe.skipIf(!hasChromium)('Chromium', () => {
  test('fills in a form and sends it; references of the previous page are stale', async () => {
    const { url, requests, call, ref } = await chromiumWorld({
      '/': `<title>Form</title><form action="/sent" method="post"><label>Name <input name="name"></label>
        <select name="kind" aria-label="Kind"><option>a<option>b</select><button>Send</button></form>`,
      '/sent': '<title>Thanks</title><p>Well received</p>',
    });
    expect(await call({ action: 'open', url })).toMatchObject({
      ok: true,
      output: expect.stringContaining(`t1: Form (${url}/)`),
      metadata: { notes: [] },
    });
    await call({ action: 'type', ref: await ref('"Name"'), text: 'Ada & Co' });
    await call({ action: 'select', ref: await ref('"Kind"'), value: 'b' });
    const send = await ref('Send');
    await call({ action: 'click', ref: send });
    expect((await call({ action: 'wait', text: 'Well received' })).output).toContain(`t1: Thanks (${url}/sent)`);
    expect(requests.find(({ method }) => method === 'POST')).toMatchObject({ body: 'name=Ada+%26+Co&kind=b' });
    expect(await call({ action: 'click', ref: send })).toMatchObject({
      ok: false,
      error: { code: 'no_match' },
      output: expect.stringContaining('stale'),
    });
    expect(await call({ action: 'evaluate', text: '({ text: document.body.innerText })' })).toMatchObject({
      output: expect.stringContaining('{"text":"Well received"}'),
    });
    expect(await call({ action: 'screenshot' })).toMatchObject({ attachments: [{ mediaType: 'image/png' }] });
    expect(await call({ action: 'pdf' })).toMatchObject({ attachments: [{ mediaType: 'application/pdf' }] });
  });

  test('keeps a page that is opened while the program of the last session ends', async () => {
    const { url, call, browser, toolkit } = await chromiumWorld({ '/': '<title>Start</title>' });
    const before = childrenOf(process.pid);
    const { chromium } = await loadPlaywright();
    const launch = vi.spyOn(chromium, 'launch');
    onTestFinished(() => launch.mockRestore());
    await call({ action: 'open', url });
    const program = await launch.mock.results[0]?.value;
    const closing = new Promise<void>((resolve) => {
      const close = program.close.bind(program);
      program.close = () => {
        resolve();
        return close();
      };
    });
    const ending = browser.endSession('s1');
    await closing;
    expect(await call({ action: 'open', url })).toMatchObject({ ok: true });
    await ending;
    expect(await call({ action: 'snapshot' })).toMatchObject({ ok: true });
    await toolkit.endSession('s1');
    await browser.dispose();
    expect(childrenOf(process.pid).filter((pid) => !before.includes(pid) && readProcess(pid) !== undefined)).toEqual(
      [],
    );
  });

  test('opens a page again after its program was killed', async () => {
    const { url, call } = await chromiumWorld({ '/': '<title>Start</title>' });
    const before = childrenOf(process.pid);
    await call({ action: 'open', url });
    const started = childrenOf(process.pid).filter((pid) => !before.includes(pid));
    expect(started).not.toEqual([]);
    for (const pid of started) process.kill(pid, 'SIGKILL');
    while (!(await call({ action: 'snapshot' })).output.includes('No page is open')) await nextTurn();
    expect(await call({ action: 'open', url })).toMatchObject({ ok: true });
    expect(await call({ action: 'snapshot' })).toMatchObject({ ok: true });
  });

  test('opens pages after failed ones, and follows a script redirect', async () => {
    const { url, call } = await chromiumWorld({
      '/': '<title>Start</title>',
      '/login': (_request, response) => void response.writeHead(401, { 'www-authenticate': 'Basic realm=x' }).end(),
      '/gone': ({ socket }) => void socket.destroy(),
      '/nothing': (_request, response) => void response.writeHead(204).end(),
      '/on': `<script>location = '/there'</script><p>${'on '.repeat(1_000)}`,
      '/there': '<title>There</title>',
    });
    const open = async (path: string) => await call({ action: 'open', url: url + path });
    for (const path of ['/login', '/gone', '/nothing', '/login', '/gone']) {
      const failed = await open(path);
      expect(failed).toMatchObject({ ok: false });
      expect(failed.output).not.toContain('another navigation');
      expect(await open('/')).toMatchObject({ ok: true, output: expect.stringContaining('t1: Start') });
    }
    expect((await open('/on')).output).toContain(`t1: There (${url}/there)`);
  });

  test('opens popups as tabs, dismisses dialogs and keeps downloads', async () => {
    const { url, call, click, toolkit } = await chromiumWorld({
      '/': `<title>Start</title><a href="/popup" target="_blank">Popup</a><a href="/file">Download</a>
        <a href="/broken">Broken</a>
        <button onclick="document.title = String(confirm('Delete all?'))">Ask</button>`,
      '/popup': '<title>Popup</title>',
      '/broken': (_request, response) => {
        const head = { 'content-disposition': 'attachment; filename="b.zip"', 'content-length': 9 };
        response.writeHead(200, head).write('zip');
        setTimeout(() => response.destroy(), 50);
      },
      '/file': (_request, response) =>
        void response.writeHead(200, { 'content-disposition': 'attachment; filename="a.zip"' }).end('zip'),
    });
    await call({ action: 'open', url });
    expect((await click('Ask')).output).toContain('[A dialog (confirm) was answered no: Delete all?]');
    expect((await call({ action: 'snapshot' })).output).toContain('t1: false');
    const path = /The download of a\.zip is in (\S+) \(3 bytes\)/.exec((await click('Download')).output)?.[1];
    expect((await toolkit.call('Read', { file_path: path ?? '' })).output).toContain('zip');
    expect((await click('Broken')).output).toContain('The download of b.zip failed');
    await click('Popup');
    // The popup is reported when its page has begun to load.
    while (!(await call({ action: 'tabs' })).output.includes('/popup')) await call({ action: 'wait', value: 10 });
    expect((await call({ action: 'open', url: `${url}/file`, tab: 't2' })).output).toContain('download of a.zip');
    expect((await call({ action: 'tabs' })).output).toContain(`t2: Popup (${url}/popup)`);
    const own = await call({ action: 'open', url: `${url}/popup`, tab: 'new' });
    expect(own.output).toContain(`t3: Popup (${url}/popup)`);
    expect(await call({ action: 'close', tab: 't2' })).toMatchObject({ ok: true });
    expect(await call({ action: 'snapshot', tab: 't2' })).toMatchObject({ error: { code: 'no_match' } });
  });

  test('never requests a private address: by redirect, frame, script, WebSocket or WebRTC', async () => {
    const hidden = await hiddenServer();
    const socket = createSocket('udp4');
    const packets: unknown[] = [];
    socket.on('message', (message) => void packets.push(message));
    await once(socket.bind(0, '127.0.0.2'), 'listening');
    onTestFinished(() => void socket.close());
    const { url, call } = await chromiumWorld({
      '/redirect': (_request, response) => void response.writeHead(302, { location: `${hidden.url}/redirect` }).end(),
      '/script': `<title>wait</title><img src="${hidden.url}/image"><iframe src="${hidden.url}/frame"></iframe><script>
        const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.2:${socket.address().port}' }] });
        peer.createDataChannel('x');
        Promise.allSettled([
          fetch('${hidden.url}/fetch', { mode: 'no-cors' }),
          fetch('/redirect', { mode: 'no-cors' }),
          new Promise((end) => { new WebSocket('${hidden.url.replace('http', 'ws')}/socket').onclose = end; }),
          peer.createOffer().then((offer) => peer.setLocalDescription(offer)).then(() => new Promise((end) => {
            peer.onicegatheringstatechange = () => peer.iceGatheringState === 'complete' && end();
          })),
        ]).then(() => document.body.append('all tried'));
        </script>`,
    });
    const blocked = { ok: false, error: { code: 'url_blocked' }, output: expect.stringContaining('private') };
    expect(await call({ action: 'open', url: `${url}/redirect` })).toMatchObject(blocked);
    expect(await call({ action: 'open', url: hidden.url })).toMatchObject(blocked);
    expect(await call({ action: 'open', url: 'file:///etc/passwd' })).toMatchObject({ ok: false });
    await call({ action: 'open', url: `${url}/script` });
    expect(await call({ action: 'wait', text: 'all tried' })).toMatchObject({ ok: true });
    expect(hidden.seen).toEqual([]);
    expect(packets).toEqual([]);
  });

  test('applies rules for hosts, and connects to the checked address', async () => {
    const connected: string[] = [];
    const answers = [['93.184.215.14'], ['127.0.0.1']];
    const { call } = await chromiumWorld(
      {},
      {
        http: {
          lookup: async () => answers.shift() ?? ['127.0.0.1'],
          connect: async ({ ip, hostname }) => {
            connected.push(`${hostname} ${ip}`);
            throw Object.assign(new Error(), { code: 'ECONNREFUSED' });
          },
        },
      },
    );
    await call({ action: 'open', url: 'http://rebinding.test/' });
    await call({ action: 'open', url: 'http://rebinding.test/' });
    expect(connected).toEqual(['rebinding.test 93.184.215.14']);
    expect(await call({ action: 'open', url: 'http://www.denied.test/' })).toMatchObject({ ok: false });
    await call({ action: 'evaluate', text: "fetch('http://denied.test/').catch(() => 0)" });
    expect(connected).toHaveLength(1);
  });
});
