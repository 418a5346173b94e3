import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { chromium } from 'playwright-core';
import { createPermissions, type ToolEvent } from 'toolwright';
import { canvasServer, canvasTool } from 'toolwright/extras/canvas';
import { describe, expect, onTestFinished, test } from 'vitest';
import { imageSize } from '../../src/core/media/image-size.js';
import { executablePath, hasChromium } from '../support/chromium-world.js';
import { testToolkit } from '../support/test-toolkit.js';
import { until } from '../support/until.js';

/** A page of a session in Chromium, and the tool canvas of this session. */
async function looking(sessionId = 's1') {
  const server = await canvasServer();
  onTestFinished(() => server.dispose());
  const events: ToolEvent[] = [];
  const toolkit = testToolkit({
    permissions: createPermissions({ allow: ['canvas'] }),
    onEvent: (event) => void events.push(event),
  });
  toolkit.registry.register(canvasTool(server, toolkit));
  const program = await chromium.launch({ ...(executablePath && { executablePath }), chromiumSandbox: false });
  onTestFinished(() => program.close());
  const context = await program.newContext();
  const page = await context.newPage();
  await page.goto(server.urlOf(sessionId));
  return {
    ...{ server, toolkit, context, page },
    call: (input: object, by = sessionId) => toolkit.call('canvas', input, { caller: { sessionId: by } }),
    back: () => events.flatMap((event) => (event.type === 'canvas-event' ? [event.event] : [])),
  };
}

/** Records everything that reaches a server at another address over TCP and UDP: bytes, or a connection. */
async function otherSite() {
  const seen: string[] = [];
  const server = createServer((socket) => {
    seen.push('a connection');
    socket.on('error', () => {}).on('data', (data) => void seen.push(String(data).slice(0, 200)));
  });
  const datagrams = createSocket('udp4');
  datagrams.on('message', () => void seen.push('a datagram'));
  await once(server.listen(0, '127.0.0.2'), 'listening');
  await once(datagrams.bind(0, '127.0.0.2'), 'listening');
  onTestFinished(() => {
    server.close();
    datagrams.close();
  });
  const { port } = server.address() as AddressInfo;
  return { seen, host: `127.0.0.2:${port}`, udp: `127.0.0.2:${datagrams.address().port}` };
}

/** Ways to escape from a page, each as a script. */
function attempts(host: string, udp: string): readonly string[] {
  const at = `http://${host}`;
  const element = (name: string, fields: object, place = 'body') =>
    `const e = document.createElement('${name}'); Object.assign(e, ${JSON.stringify(fields).replaceAll('<', '\\u003c')}); document.${place}.append(e);`;
  const link = (rel: string, more = {}) => element('link', { rel, href: `${at}/${rel}`, ...more }, 'head');
  const peer = (url: string) =>
    `const p = new RTCPeerConnection({ iceServers: [{ urls: '${url}', username: 'a', credential: 'b' }] });
     p.createDataChannel('x'); p.createOffer().then((offer) => p.setLocalDescription(offer));`;
  const page = `<script>fetch('${at}/inner', { mode: 'no-cors' })</script>`;
  return [
    `fetch('${at}/fetch', { mode: 'no-cors' }).catch(() => {})`,
    `fetch('/').catch(() => {}); fetch('events').catch(() => {})`,
    `const x = new XMLHttpRequest(); x.open('GET', '${at}/xhr'); x.send()`,
    `new WebSocket('ws://${host}/socket')`,
    `new EventSource('${at}/source')`,
    `navigator.sendBeacon('${at}/beacon', 'x')`,
    `import('${at}/module.js').catch(() => {})`,
    `new WebTransport('https://${udp}/')`,
    `new Worker(URL.createObjectURL(new Blob(["fetch('${at}/worker', { mode: 'no-cors' })"])))`,
    element('img', { src: `${at}/img` }),
    element('script', { src: `${at}/script` }),
    element('video', { src: `${at}/video` }),
    element('object', { data: `${at}/object` }),
    element('embed', { src: `${at}/embed` }),
    element('iframe', { src: `${at}/iframe` }),
    element('iframe', { srcdoc: page }),
    element('style', { textContent: `@import "${at}/import"; p { background: url(${at}/background) }` }, 'head'),
    `document.body.insertAdjacentHTML('beforeend', '<svg><image href="${at}/image"/><use href="${at}/use#a"/></svg>')`,
    ...['stylesheet', 'preconnect', 'dns-prefetch', 'prefetch', 'modulepreload', 'icon', 'manifest'].map((rel) =>
      link(rel),
    ),
    link('preload', { as: 'image' }),
    element('script', { type: 'speculationrules', textContent: `{"prefetch":[{"urls":["${at}/rules"]}]}` }, 'head'),
    `${element('form', { action: `${at}/form` })} e.submit()`,
    `${element('form', { action: `${at}/form`, target: '_blank', method: 'post' })} e.submit()`,
    `${element('a', { href: `${at}/link`, target: '_blank' })} e.click()`,
    `${element('a', { href: '#here', ping: `${at}/ping` })} e.click()`,
    `${element('a', { href: `${at}/download`, download: 'x' })} e.click()`,
    `window.open('${at}/window')`,
    `top.location = '${at}/top'`,
    `parent.location.href = '${at}/parent'`,
    `location = '${at}/self'`,
    `location = 'data:text/html,' + encodeURIComponent(${JSON.stringify(page).replaceAll('<', '\\u003c')})`,
    `${element('meta', { httpEquiv: 'refresh', content: `0;url=${at}/meta` }, 'head')}`,
    peer(`stun:${udp}`),
    peer(`turn:${host}?transport=tcp`),
  ];
}

describe.skipIf(!hasChromium)('a canvas in Chromium', () => {
  test('returns a click, the typed text, and events of its script', async () => {
    const { page, call, back } = await looking();
    const html = `<form><label>Name <input name="who"></label>
      <button data-event="save" value="now"><b>Save</b></button></form>
      <output></output><script>
        canvas.onData(({ count }) => { document.querySelector('output').textContent = 'Count ' + count; });
        canvas.send({ ready: true });
      </script>`;
    expect(await call({ action: 'show', html, data: { count: 1 } })).toMatchObject({ metadata: { pages: 1 } });
    const frame = page.frameLocator('iframe');
    await frame.getByText('Count 1').waitFor();
    await frame.getByLabel('Name').fill('Ada');
    await call({ action: 'update', data: { count: 2 } });
    await frame.getByText('Count 2').waitFor();
    // The page was not reloaded, so the typed text is still there.
    await frame.getByText('Save').click();
    await until(() => back().length === 2);
    expect(back()).toEqual([{ ready: true }, { name: 'save', value: 'now', fields: { who: 'Ada' } }]);
    const { output } = await call({ action: 'snapshot' });
    expect(output).toContain('- main: {"name":"save","value":"now","fields":{"who":"Ada"}}');
    expect(output).toContain('Its data: {"count":2}');
    await call({ action: 'clear' });
    await page.getByText('Nothing is shown yet').waitFor();
  });

  test('shows a session nothing of another one', async () => {
    const { server, page, context, call } = await looking();
    const other = await context.newPage();
    await other.goto(server.urlOf('s2'));
    await call({ action: 'show', html: '<p>Of the first</p>' });
    await page.frameLocator('iframe').getByText('Of the first').waitFor();
    await call({ action: 'show', html: '<p>Of the second</p>' }, 's2');
    await other.frameLocator('iframe').getByText('Of the second').waitFor();
    expect(await page.locator('iframe').count()).toBe(1);
    expect(await other.locator('iframe').count()).toBe(1);
  });

  test('cannot send requests or navigate in any way', async () => {
    const { seen, host, udp } = await otherSite();
    const { page, context, call, back } = await looking();
    const url = page.url();
    const scripts = attempts(host, udp);
    for (const [index, script] of scripts.entries()) {
      const html = `<p>Try ${index}</p><script>canvas.send('try ${index}'); try { ${script} } catch {}</script>`;
      expect(await call({ action: 'show', html })).toMatchObject({ ok: true });
      await until(() => back().includes(`try ${index}`));
      // A request would arrive at once; its absence has no event.
      await page.waitForTimeout(300);
    }
    expect(back()).toHaveLength(scripts.length);
    expect(seen).toEqual([]);
    expect(page.url()).toBe(url);
    expect(context.pages()).toHaveLength(1);
    await call({ action: 'show', html: '<p>Still here</p>' });
    await page.frameLocator('iframe').getByText('Still here').waitFor();
  });

  test('cannot use WebRTC in a nested frame, for which Chromium may end the page', async () => {
    const { seen, udp } = await otherSite();
    const { page, call, back } = await looking();
    const inner = `const p = new RTCPeerConnection({ iceServers: [{ urls: 'stun:${udp}' }] });
      p.createDataChannel('x'); p.createOffer().then((offer) => p.setLocalDescription(offer));`;
    const html = `<p>Try</p><script>canvas.send('tried'); const f = document.createElement('iframe');
      f.srcdoc = ${JSON.stringify(`<script>${inner}</script>`).replaceAll('</', '<\\/')}; document.body.append(f);</script>`;
    const ended = page.waitForEvent('crash').catch(() => {});
    await call({ action: 'show', html });
    await until(() => back().includes('tried'));
    await Promise.race([ended, page.waitForTimeout(2_000).catch(() => {})]);
    expect(seen).toEqual([]);
  });

  test('fits narrow and wide windows', async () => {
    const { page, call } = await looking();
    const html = `<style>body { font: 16px sans-serif; margin: 16px } .cards { display: grid; gap: 12px;
        grid-template-columns: repeat(auto-fit, minmax(200px, 1fr)) } .cards > div { padding: 16px; background: #eef; }
        button { padding: 8px 16px }</style>
      <h1>Release plan</h1><div class="cards"></div><p><button data-event="approve">Approve</button></p>
      <script>canvas.onData((cards) => document.querySelector('.cards').replaceChildren(...cards.map((text) => {
        const card = document.createElement('div'); card.textContent = text; return card; })));</script>`;
    await call({ action: 'show', html, data: ['Build', 'Test', 'Sign', 'Publish'], id: 'plan' });
    await call({
      action: 'show',
      html: '<p style="font: 16px sans-serif; margin: 16px">Nothing failed.</p>',
      id: 'notes',
    });
    await page.frameLocator('iframe[title=plan]').getByText('Publish').waitFor();
    await page.frameLocator('iframe[title=notes]').getByText('Nothing failed').waitFor();
    const folder = process.env.TOOLWRIGHT_SCREENSHOTS;
    for (const width of [380, 1_200]) {
      await page.setViewportSize({ width, height: 700 });
      const frame = page.locator('iframe[title=plan]');
      await expect.poll(async () => await frame.evaluate((one) => one.scrollHeight > 150)).toBe(true);
      // Neither the page nor a frame is wider than the window.
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      const path = folder === undefined ? {} : { path: `${folder}/canvas-${width}.png` };
      const picture = await page.screenshot({ fullPage: true, ...path });
      expect(imageSize(picture, 'image/png')?.width).toBe(width);
    }
  });

  test('leaves nothing after 200 rounds', async () => {
    const before = process.getActiveResourcesInfo().length;
    for (let round = 0; round < 200; round++) {
      const server = await canvasServer();
      const toolkit = testToolkit({ permissions: createPermissions({ allow: ['canvas'] }) });
      toolkit.registry.register(canvasTool(server, toolkit));
      await toolkit.call('canvas', { action: 'show', html: `<p>${round}</p>` });
      const watched = round % 2 === 0 ? fetch(`${server.urlOf('default')}events`) : undefined;
      // The server may end before it has accepted the connection.
      const ended = watched?.then((response) => response.text()).catch(() => undefined);
      if (round % 4 === 0) await watched;
      await toolkit.dispose();
      await ended;
    }
    await until(() => process.getActiveResourcesInfo().length <= before);
  });
});
