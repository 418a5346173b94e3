import { fakeTimers } from 'toolwright/testing';
import { describe, expect, test } from 'vitest';
import { childrenOf, readProcess } from '../../src/shell/run/process-table.js';
import { chromiumWorld, hasChromium, type Pages } from '../support/chromium-world.js';
import { until } from '../support/until.js';

describe.skipIf(!hasChromium)('Chromium', () => {
  test('ends a page that never loads, one of 50 MB and one that hangs, and continues', async () => {
    const endless = 'word '.repeat(20_000);
    const pages: Pages = {
      '/': '<title>Fine</title>',
      '/never': () => {},
      '/large': (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html', 'content-length': 50_000_000 });
        const write = () => {
          while (!response.destroyed) if (!response.write(endless)) return void response.once('drain', write);
        };
        write();
      },
    };
    const { url, call } = await chromiumWorld(pages, {}, 10_000);
    await call({ action: 'open', url });
    expect(await call({ action: 'open', url: `${url}/never` })).toMatchObject({ error: { code: 'timeout' } });
    expect(await call({ action: 'open', url: `${url}/large` })).toMatchObject({ ok: false });
    await call({ action: 'open', url, tab: 'new' });
    expect(await call({ action: 'evaluate', text: 'for (;;) {}' })).toMatchObject({ ok: false });
    expect(await call({ action: 'open', url, tab: 'new' })).toMatchObject({ ok: true });
  });

  test('ends an endless download, and ends a missing one with its session', async () => {
    const named = (name: string) => ({ 'content-disposition': `attachment; filename="${name}"` });
    let open = 0;
    const { url, call, toolkit } = await chromiumWorld({
      '/endless': (_request, response) => {
        response.writeHead(200, named('endless.zip'));
        const write = () => {
          while (!response.destroyed)
            if (!response.write('x'.repeat(100_000))) return void response.once('drain', write);
        };
        write();
      },
      '/silent': (_request, response) => {
        open += 1;
        response.on('close', () => {
          open -= 1;
        });
        // Chromium reads the beginning before it reports a download.
        response.writeHead(200, named('silent.zip')).write('x'.repeat(5_000));
      },
    });
    const outputs = [(await call({ action: 'open', url: `${url}/endless` })).output];
    while (!outputs.join().includes('endless.zip failed'))
      outputs.push((await call({ action: 'wait', value: 100 })).output);
    const silent = await call({ action: 'open', url: `${url}/silent` });
    expect(silent.output).toContain('[A download has not finished; take a snapshot later to see its result]');
    await toolkit.endSession('s1');
    await until(() => open === 0);
  });

  test('ends an idle session after ten minutes, and serves four at once', async () => {
    const timers = fakeTimers();
    const { url, call, browser } = await chromiumWorld({ '/': '<title>Fine</title>' }, { timers });
    const scope = (sessionId: string) => ({ caller: { sessionId }, signal: AbortSignal.any([]), mayVisit: () => true });
    for (const id of ['s1', 's2', 's3', 's4'])
      expect(await call({ action: 'open', url }, id)).toMatchObject({ ok: true });
    expect(await call({ action: 'open', url }, 's5')).toMatchObject({ error: { code: 'limit_reached' } });
    for (let tab = 2; tab <= 10; tab++) await call({ action: 'open', url: 'http://127.0.0.2/', tab: 'new' });
    expect(await call({ action: 'open', url, tab: 'new' })).toMatchObject({ error: { code: 'limit_reached' } });
    await timers.advance(600_000);
    for (const id of ['s1', 's2', 's3', 's4']) expect(await browser.tabs(scope(id))).toEqual([]);
    await browser.dispose();
    expect(timers.pending).toBe(0);
  });

  test('leaves nothing after 200 rounds that end at different points', async () => {
    const { url, requests, browser, toolkit } = await chromiumWorld({
      '/': '<title>Fine</title><button>Go</button>',
      '/never': () => {},
    });
    const rounds = 200;
    const before = children();
    for (let round = 0; round < rounds; round++) {
      const session = { caller: { sessionId: `s${round}` } };
      const call = (input: object) => toolkit.call('browser', input, session);
      const path = round % 2 === 0 ? '/' : '/never';
      const seen = requests.length;
      const calls = [call({ action: 'open', url: `${url}${path}` }), call({ action: 'snapshot' })];
      if (round % 4 > 0) await until(() => requests.length > seen);
      if (round % 4 === 2) await calls[1];
      await toolkit.endSession(`s${round}`);
      await Promise.all(calls);
    }
    expect(toolkit.sessions()).toEqual([]);
    await browser.dispose();
    expect(children()).toEqual(before);
    // Each round starts a Chromium.
  }, 1_200_000);

  test('leaves nothing if the toolkit is disposed during a call', async () => {
    const before = children();
    for (let round = 0; round < 10; round++) {
      const { url, requests, call, toolkit } = await chromiumWorld({ '/': () => {} });
      const open = call({ action: 'open', url });
      if (round % 2 === 0) await until(() => requests.length > 0);
      else await new Promise((resolve) => setTimeout(resolve, 50 * round));
      await toolkit.dispose();
      expect(await open).toMatchObject({ ok: false });
    }
    expect(children()).toEqual(before);
  });
});

/** The running child processes of this process. */
function children(): readonly number[] {
  return childrenOf(process.pid).filter((pid) => readProcess(pid) !== undefined);
}
