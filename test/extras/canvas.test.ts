import { createPermissions, createToolkit, type ToolEvent } from 'toolwright';
import { type CanvasEvent, type CanvasServer, canvasServer, canvasTool } from 'toolwright/extras/canvas';
import { fakeTimers, memoryFiles } from 'toolwright/testing';
import { expect, test } from 'vitest';
import { framePage, listPage, sessionPage } from '../../src/extras/canvas/pages.js';
import { type CanvasNews, type SessionCanvases, sessionCanvases } from '../../src/extras/canvas/session-canvases.js';
import { eachRow } from '../support/each-row.js';

const secret = ['ghp', 'roW0YFxDqcPLFAKEhnn6CpteeaZYNRvC9ndx'].join('_');

/** A canvas server without pages, and its end. */
function unseenServer(overrides: Partial<CanvasServer> = {}) {
  const sessions = new Map<string, SessionCanvases>();
  const of = (sessionId: string) => {
    const session = sessions.get(sessionId) ?? sessionCanvases(sessionId, fakeTimers());
    sessions.set(sessionId, session);
    return session;
  };
  const listeners = new Set<(event: CanvasEvent) => void>();
  const ended: string[] = [];
  const place = { url: 'http://127.0.0.1:1/abc/', pages: 0 };
  const server: CanvasServer = {
    url: place.url,
    urlOf: () => place.url,
    show: (canvas, scope) => {
      of(scope.caller.sessionId).show(canvas);
      return place;
    },
    update: (change, scope) => {
      of(scope.caller.sessionId).update(change);
      return place;
    },
    snapshot: ({ id }, scope) => of(scope.caller.sessionId).snapshot(id),
    clear: ({ id }, scope) => of(scope.caller.sessionId).clear(id),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    endSession: (sessionId) => void ended.push(sessionId),
    dispose: async () => void ended.push('all'),
    [Symbol.asyncDispose]: async () => {},
    ...overrides,
  };
  const click = (sessionId: string, id: string, event: unknown) => {
    const taken = of(sessionId).take(id, event);
    for (const listener of listeners) if (taken !== undefined) listener(taken);
  };
  return { server, ended, listeners, click };
}

function showing(server: CanvasServer, options: Parameters<typeof createPermissions>[0] = { allow: ['canvas'] }) {
  const events: ToolEvent[] = [];
  const toolkit = createToolkit({
    root: '/workspace',
    hosts: { files: memoryFiles({ root: '/workspace' }) },
    permissions: createPermissions(options),
    onEvent: (event) => void events.push(event),
  });
  toolkit.registry.register(canvasTool(server, toolkit));
  const call = (input: object, sessionId = 's1') => toolkit.call('canvas', input, { caller: { sessionId } });
  const back = () => events.filter(({ type }) => type === 'canvas-event');
  return { toolkit, call, back };
}

test('a canvas is shown, updated, returned as given, and cleared', async () => {
  const { call } = showing(unseenServer().server);
  const address = 'http://127.0.0.1:1/abc/';
  expect(await call({ action: 'show', html: '<p>Hello</p>', data: { n: 1 } })).toMatchObject({
    ok: true,
    output: `Canvas main is shown at ${address} (no page is open yet: give the user this address)`,
    metadata: { url: address, pages: 0 },
  });
  await call({ action: 'show', html: '<i>2</i>', id: 'second' });
  expect((await call({ action: 'update', data: [2] })).output).toContain('Canvas main has new data');
  expect((await call({ action: 'snapshot' })).output).toBe(
    [
      'The canvases as you gave them, without changes that scripts or users made in the page.',
      'No events since the last snapshot.',
      'Canvas main:\n<p>Hello</p>\nIts data: [2]',
      'Canvas second:\n<i>2</i>',
    ].join('\n\n'),
  );
  expect((await call({ action: 'clear', id: 'second' })).output).toBe('Canvas second is not shown any more');
  expect(await call({ action: 'snapshot', id: 'second' })).toMatchObject({ error: { code: 'no_match' } });
  expect((await call({ action: 'clear' })).output).toBe('No canvas is shown any more');
  const gone = await call({ action: 'update', data: 1 });
  expect(gone).toMatchObject({ error: { code: 'no_match' } });
  expect(gone.output).toContain('There is no canvas main. None is shown. Show it first.');
});

test('a click emits an event of its session, and is in the next snapshot', async () => {
  const { server, click } = unseenServer();
  const { call, back } = showing(server);
  await call({ action: 'show', html: '<button data-event="yes">Yes</button>' });
  click('s1', 'main', { name: 'yes', fields: { key: secret } });
  click('s1', 'main', 'second');
  click('s1', 'other', 'of no canvas');
  // Another toolkit shows a canvas there.
  await server.show({ id: 'main', html: '' }, { caller: { sessionId: 's2' }, signal: AbortSignal.any([]) });
  click('s2', 'main', 'of another session');
  expect(back()).toEqual([
    {
      type: 'canvas-event',
      sessionId: 's1',
      id: 'main',
      event: { name: 'yes', fields: { key: expect.stringContaining('[REDACTED') } },
    },
    { type: 'canvas-event', sessionId: 's1', id: 'main', event: 'second' },
  ]);
  const { output } = await call({ action: 'snapshot' });
  expect(output).toContain('Events since the last snapshot:\n- main: {"name":"yes"');
  expect(output).toContain('- main: "second"');
  expect(output).not.toContain(secret);
  expect((await call({ action: 'snapshot' })).output).toContain('No events since');
});

test('an invalid input gets the expected form', async () => {
  const { call } = showing(unseenServer().server);
  const rows = [
    [{ action: 'draw' }, '"show", "update", "snapshot", "clear"'],
    [{ action: 'show' }, 'expected html for the action show'],
    [{ action: 'update' }, 'expected data for the action update'],
    [{ action: 'update', data: 1, html: 'x' }, 'expected no html for the action update'],
    [{ action: 'snapshot', data: 1 }, 'expected no data for the action snapshot'],
    [{ action: 'clear', html: 'x' }, 'expected no html for the action clear'],
    [{ action: 'show', html: 'x', id: '../x' }, 'expected letters'],
    [{ action: 'show', html: 'x', id: 'x'.repeat(41) }, 'at most 40'],
    [{ action: 'show', html: 'x'.repeat(100_001) }, 'at most 100000 characters'],
    [{ action: 'show', html: 'x', data: 'x'.repeat(50_000) }, 'at most 50000 characters of JSON'],
    [{ action: 'update', data: ['x'.repeat(50_000)] }, 'at most 50000 characters of JSON'],
  ] as const;
  await eachRow(rows, async ([input, message]) => {
    const answer = await call(input);
    expect(answer).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    expect(answer.output).toContain(message);
  });
});

test('a question contains the page to show', async () => {
  const asked: unknown[] = [];
  const { call } = showing(unseenServer().server, {
    onAsk: ({ title, preview, risk }) => {
      asked.push({ title, preview, risk });
      return 'deny';
    },
  });
  expect(await call({ action: 'show', html: '<p>Hello</p>' })).toMatchObject({ error: { code: 'permission_denied' } });
  await call({ action: 'update', data: { a: 1 }, id: 'x' });
  expect(asked).toEqual([
    { title: 'canvas show main', preview: '<p>Hello</p>', risk: 'low' },
    { title: 'canvas update x', preview: '{\n  "a": 1\n}', risk: 'low' },
  ]);
});

test('a server that fails or returns nothing is reported', async () => {
  const rows = [
    [() => Promise.reject(new Error('no port')), 'the server of canvases failed: no port'],
    [() => undefined as never, 'the server of canvases gave no usable answer'],
  ] as const;
  await eachRow(rows, async ([show, message]) => {
    const answer = await showing(unseenServer({ show }).server).call({ action: 'show', html: 'x' });
    expect(answer).toMatchObject({ error: { code: 'execution_failed' } });
    expect(answer.output).toContain(message);
  });
});

test('canvases end with their session, and the server with the toolkit', async () => {
  const { server, ended, listeners } = unseenServer();
  const { toolkit, call } = showing(server);
  await call({ action: 'show', html: 'x' });
  await toolkit.endSession('s1');
  await toolkit.endSession('s2');
  expect(ended).toEqual(['s1']);
  await toolkit.dispose();
  expect(ended).toEqual(['s1', 'all']);
  expect(listeners.size).toBe(0);
});

test('pages of a session get every change, and new pages the current state', () => {
  const session = sessionCanvases('s1', fakeTimers());
  const heard: CanvasNews[] = [];
  const later: CanvasNews[] = [];
  const leave = session.watch((news) => void heard.push(news));
  session.show({ id: 'a', html: '1' });
  session.show({ id: 'b', html: '2', data: 1 });
  session.update({ id: 'b', data: 2 });
  session.show({ id: 'a', html: '3' });
  session.watch((news) => void later.push(news));
  leave();
  session.clear('a');
  expect(heard).toEqual([
    { ids: [], changed: [] },
    { ids: ['a'], changed: [{ id: 'a', version: 1 }] },
    { ids: ['a', 'b'], changed: [{ id: 'b', version: 2, data: 1 }] },
    { ids: ['a', 'b'], changed: [{ id: 'b', version: 2, data: 2 }] },
    { ids: ['a', 'b'], changed: [{ id: 'a', version: 3 }] },
  ]);
  expect(later).toEqual([
    {
      ids: ['a', 'b'],
      changed: [
        { id: 'a', version: 3 },
        { id: 'b', version: 2, data: 2 },
      ],
    },
    { ids: ['b'], changed: [] },
  ]);
});

test('canvases and events of a session are limited', async () => {
  const timers = fakeTimers();
  const session = sessionCanvases('s1', timers);
  for (let count = 1; count <= 10; count++) session.show({ id: `c${count}`, html: '' });
  expect(() => session.show({ id: 'c11', html: '' })).toThrow('10 canvases are shown');
  session.show({ id: 'c10', html: 'again' });
  for (let round = 0; round < 3; round++) {
    const taken = Array.from({ length: 60 }, (_, count) => session.take('c1', `${round}-${count}`));
    expect(taken.filter((event) => event !== undefined)).toHaveLength(50);
    await timers.advance(10_000);
  }
  session.take('c2', 'x');
  const { events } = session.snapshot('c1');
  expect(events).toHaveLength(99);
  expect(events.at(-1)).toEqual({ sessionId: 's1', id: 'c1', event: '2-49' });
  expect(session.snapshot().events).toEqual([{ sessionId: 's1', id: 'c2', event: 'x' }]);
});

test('pages are confined by their headers, and data is escaped in its script', () => {
  const frame = framePage({ html: '<p>Hi</p>', data: '</script><script>alert(1)</script>$&' }, 'http://127.0.0.1:1');
  expect(frame.body).toContain(String.raw`let data = "\u003c/script>\u003cscript>alert(1)\u003c/script>$&";`);
  expect(frame.body.endsWith('<p>Hi</p>')).toBe(true);
  const policy = frame.headers['content-security-policy'];
  expect(policy).toBe(
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; " +
      "img-src data: blob:; media-src data: blob:; font-src data:; base-uri 'none'; form-action 'none'; " +
      'frame-ancestors http://127.0.0.1:1',
  );
  expect(frame.headers).toMatchObject({ 'connection-allowlist': '()', 'referrer-policy': 'no-referrer' });
  const page = sessionPage('http://127.0.0.1:1/abc/frame/', 'N0nce');
  expect(page.headers['content-security-policy']).toContain(
    "connect-src 'self'; frame-src http://127.0.0.1:1/abc/frame/",
  );
  expect(page.body).toContain("setAttribute('sandbox', 'allow-scripts')");
  const list = listPage([{ name: '<b>"s"</b>', url: '/abc/' }], 'N0nce');
  expect(list.body).toContain('<a href="/abc/">&#60;b&#62;&#34;s&#34;&#60;/b&#62;</a>');
});

test('mistakes of the program are TypeErrors', async () => {
  const toolkit = createToolkit({ root: '/workspace', hosts: { files: memoryFiles({ root: '/workspace' }) } });
  const { server } = unseenServer();
  const rows = [
    [() => canvasTool({} as never, toolkit), 'canvasTool(await canvasServer(), toolkit)'],
    [() => canvasTool(Promise.resolve(server) as never, toolkit), 'a promise'],
    [() => canvasTool(server, {} as never), 'canvasTool takes the toolkit that createToolkit made'],
  ] as const;
  for (const [make, message] of rows) {
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
  }
  await expect(canvasServer({ port: -1 })).rejects.toThrow('port takes a port');
  await expect(canvasServer({ prot: 1 } as never)).rejects.toThrow('port');
});
