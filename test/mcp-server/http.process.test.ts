import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { Tool } from 'toolwright';
import { describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod/v4';
import type { ToolContext, Toolkit, ToolResult } from '../../src/index.js';
import { eachRow } from '../support/each-row.js';
import { until } from '../support/until.js';
import { codeOf, servedToolkit, textOf, token } from './served-toolkit.js';

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A tool that does what a test wants. */
/** Registers a tool `Wait` that runs until it is aborted. */
function registerWait({ registry }: Pick<Toolkit, 'registry'>) {
  let isAborted = false;
  let isRunning = () => {};
  const running = new Promise<void>((resolve) => {
    isRunning = resolve;
  });
  const execute = ({ signal }: ToolContext) => {
    isRunning();
    return new Promise<string>((resolve) =>
      signal.addEventListener('abort', () => {
        isAborted = true;
        resolve('late');
      }),
    );
  };
  registry.register(tool('Wait', execute));
  return { running, wasAborted: () => isAborted };
}

function tool(name: string, execute: (context: ToolContext) => Promise<string> | ToolResult | string) {
  const input = z.object({});
  return Tool.define(name, {
    description: 'A tool of a test.',
    input,
    sideEffect: 'none',
    execute: (_, context) => execute(context),
  });
}

describe('tools', () => {
  test('are listed with hints from their side effect', async () => {
    const { connect } = await servedToolkit();
    const { tools } = await (await connect()).listTools();
    const hintsOf = (name: string) => tools.find((one) => one.name === name)?.annotations;
    expect(hintsOf('Read')).toMatchObject({ readOnlyHint: true, destructiveHint: false, openWorldHint: false });
    expect(hintsOf('Write')).toMatchObject({ readOnlyHint: false, destructiveHint: true, openWorldHint: false });
    expect(hintsOf('Bash')).toMatchObject({ readOnlyHint: false, destructiveHint: true, openWorldHint: true });
    expect(hintsOf('TaskStop')).toMatchObject({ readOnlyHint: false, destructiveHint: false });
  });

  test('that are added or removed are notified to the client', async () => {
    const { connect, toolkit } = await servedToolkit();
    const client = await connect();
    let changes = 0;
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
      changes++;
    });
    // The stream for messages of the server is opened after the handshake.
    const late = () => {
      toolkit.registry.unregister('Late');
      toolkit.registry.register(tool('Late', () => 'late'));
      return changes;
    };
    await expect.poll(late).toBeGreaterThan(0);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('Late');
    expect(textOf(await client.callTool({ name: 'Late' }))).toBe('late');
  });

  test('return images, audio and other files with their text', async () => {
    const { connect, toolkit } = await servedToolkit();
    const attachments = ['image/png', 'audio/wav', 'application/pdf'].map((mediaType) => ({ mediaType, data: png }));
    const unsound = { mediaType: 'image/png', data: 'AAA', name: 'a b' };
    toolkit.registry.register(tool('Show', () => ({ output: 'look', attachments: [...attachments, unsound] })));
    const { content } = await (await connect()).callTool({ name: 'Show' });
    expect(content).toEqual([
      { type: 'text', text: 'look' },
      { type: 'image', mimeType: 'image/png', data: png },
      { type: 'audio', mimeType: 'audio/wav', data: png },
      { type: 'resource', resource: { uri: expect.any(String), mimeType: 'application/pdf', blob: png } },
      { type: 'image', mimeType: 'image/png', data: 'AAA=' },
    ]);
  });

  test('that fail return their code', async () => {
    const { connect } = await servedToolkit();
    const client = await connect();
    const failed = await client.callTool({ name: 'Read', arguments: { file_path: '/nowhere' } });
    expect(failed.isError).toBe(true);
    expect(codeOf(failed)).toBe('path_outside_root');
    expect(textOf(failed)).toMatch(/^Error: /);
    expect(codeOf(await client.callTool({ name: 'Raed' }))).toBe('unknown_tool');
    expect(codeOf(await client.callTool({ name: 'Read', arguments: {} }))).toBe('invalid_input');
    await expect(client.callTool({ name: '' })).rejects.toThrow(/Pass the name of a tool/);
  });

  test('report progress', async () => {
    const { connect, toolkit, root } = await servedToolkit({ permissions: 'bypassPermissions' });
    toolkit.registry.register(
      tool('Count', (context) => {
        for (const title of ['one', 'two']) context.metadata({ title });
        for (const progress of [10, 5, 100]) context.metadata({ metadata: { progress, total: 100, message: 'on' } });
        return 'done';
      }),
    );
    const client = await connect();
    const heard: object[] = [];
    const onprogress = (progress: object) => heard.push(progress);
    expect(textOf(await client.callTool({ name: 'Count' }, undefined, { onprogress }))).toBe('done');
    expect(heard).toEqual([
      { progress: 1, message: 'one' },
      { progress: 2, message: 'two' },
      { progress: 10, total: 100, message: 'on' },
      { progress: 100, total: 100, message: 'on' },
    ]);
    heard.length = 0;
    const command = 'echo first; until [ -e go ]; do sleep 0.02; done; echo second';
    const running = client.callTool({ name: 'Bash', arguments: { command } }, undefined, { onprogress });
    await until(() => heard.length > 0);
    writeFileSync(`${root}/go`, '');
    await running;
    expect(heard).toContainEqual(expect.objectContaining({ message: 'second' }));
  });

  test('stop when the client cancels the call, and the connection continues', async () => {
    const { connect, toolkit } = await servedToolkit();
    const { running, wasAborted } = registerWait(toolkit);
    const client = await connect();
    const stop = new AbortController();
    const call = client.callTool({ name: 'Wait' }, undefined, { signal: stop.signal });
    await running;
    stop.abort();
    await expect(call).rejects.toThrow(/abort/i);
    await expect.poll(wasAborted).toBe(true);
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  });
});

describe('a question of permission', () => {
  const write = (root: string) => ({ name: 'Write', arguments: { file_path: `${root}/a.txt`, content: 'x' } });

  test('reaches the person at the client', async () => {
    const { connect, root } = await servedToolkit();
    const asked: string[] = [];
    const answers = [
      { action: 'accept' as const, content: { decision: 'deny' } },
      { action: 'decline' as const },
      { action: 'cancel' as const },
      { action: 'accept' as const, content: { decision: 'allow-everything' } },
      { action: 'accept' as const, content: { decision: 'allow-once' } },
      { action: 'accept' as const, content: { decision: 'allow-always' } },
    ];
    const client = await connect({
      answer: ({ params }) => {
        asked.push(params.message);
        return answers[asked.length - 1] ?? { action: 'cancel' };
      },
    });
    const codes = [];
    for (let turn = 0; turn < 7; turn++) codes.push(codeOf(await client.callTool(write(root))));
    expect(codes).toEqual([...Array(4).fill('permission_denied'), undefined, undefined, undefined]);
    expect(asked.length).toBe(6);
    expect(asked[0]).toMatch(/Write a\.txt/);
  });

  test('is denied if the client cannot ask or does not answer in time', async () => {
    const { connect, root } = await servedToolkit({}, { limits: { askTimeoutMs: 50 } });
    expect(codeOf(await (await connect()).callTool(write(root)))).toBe('permission_denied');
    const silent = await connect({ answer: () => new Promise(() => {}) });
    expect(codeOf(await silent.callTool(write(root)))).toBe('permission_denied');
  });
});

describe('over HTTP', () => {
  test('two clients at once have separate sessions, which end with them', async () => {
    const { connect, toolkit } = await servedToolkit({}, { caller: { sessionId: 'host' } });
    const seen: string[] = [];
    toolkit.registry.register(
      tool('Who', ({ caller }) => {
        seen.push(caller.sessionId);
        return caller.sessionId;
      }),
    );
    const clients = await Promise.all([connect(), connect()]);
    const names = await Promise.all(clients.map(async (client) => textOf(await client.callTool({ name: 'Who' }))));
    expect(new Set(names).size).toBe(2);
    expect(names.every((name) => name.startsWith('host:'))).toBe(true);
    expect(toolkit.sessions()).toEqual(expect.arrayContaining(names));
    const [first] = clients;
    await first?.over.terminateSession();
    await expect.poll(() => toolkit.sessions()).toEqual([names[1]]);
    await expect(first?.callTool({ name: 'Who' })).rejects.toThrow();
  });

  test.each([
    ['a wrong token', { authorization: 'Bearer wrong' }, '/mcp', 401],
    ['no token', {}, '/mcp', 401],
    ['a foreign Host', { host: 'evil.example' }, '/mcp', 403],
    ['a Host that is none', { host: 'a/b' }, '/mcp', 403],
    ['a foreign Origin', { origin: 'http://evil.example' }, '/mcp', 403],
    ['an Origin without a name', { origin: 'null' }, '/mcp', 403],
    ['another path', { authorization: `Bearer ${token}` }, '/', 404],
    ['an unknown session', { authorization: `Bearer ${token}`, 'mcp-session-id': 'x' }, '/mcp', 404],
    ['no session', { authorization: `Bearer ${token}` }, '/mcp', 400],
  ])('%s is refused', async (_, headers, path, status) => {
    const { url, toolkit } = await servedToolkit();
    expect(await statusOf(url, path, headers)).toBe(status);
    expect(toolkit.sessions()).toEqual([]);
  });

  test('its own pages, allowed origins, and other addresses of the machine are accepted', async () => {
    const { url } = await servedToolkit(
      {},
      { token: false, allowedHosts: ['Tools.example'], allowedOrigins: ['https://app.example'] },
    );
    for (const headers of [
      { origin: `http://${url.host}` },
      { origin: 'https://app.example' },
      { host: `localhost:${url.port}` },
      { host: 'tools.example' },
      { host: '[::1]:80' },
    ])
      expect(await statusOf(url, '/mcp', headers)).toBe(400);
  });

  test('the number of sessions is limited; an idle one is closed for a new one', async () => {
    const { connect } = await servedToolkit({}, { limits: { maxSessions: 2 } });
    await connect();
    const second = await connect();
    await expect(connect()).rejects.toThrow(/Too many sessions/);
    await second.over.terminateSession();
    await connect();

    const patient = await servedToolkit({}, { limits: { maxSessions: 1, idleMs: 0 } });
    const client = await patient.connect();
    await client.over.close();
    await expect.poll(() => patient.connect().then(() => true)).toBe(true);
  });

  test('a client that sends nothing has no session', async () => {
    const { connect, url } = await servedToolkit({}, { limits: { maxSessions: 1 } });
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': 100 };
    const slow = request({ port: url.port, host: url.hostname, path: '/mcp', method: 'POST', headers });
    slow.on('error', () => {}).flushHeaders();
    await once(slow, 'socket');
    slow.write('{');
    onTestFinished(() => void slow.destroy());
    // Later messages of the same connection were read after it.
    expect(await statusOf(url, '/mcp', { authorization: `Bearer ${token}` })).toBe(400);
    await connect();
  });

  test('the scheme of the token is accepted in any letter case', async () => {
    const { url } = await servedToolkit();
    for (const scheme of ['bearer', 'BEARER', 'Bearer '])
      expect(await statusOf(url, '/mcp', { authorization: `${scheme} ${token}` })).toBe(400);
    expect(await statusOf(url, '/mcp', { authorization: token })).toBe(401);
  });

  test('a message over the limit is refused', async () => {
    const { connect, url } = await servedToolkit({}, { limits: { maxMessageBytes: 5_000 } });
    const authorization = `Bearer ${token}`;
    expect(await statusOf(url, '/mcp', { authorization }, 'x'.repeat(10_000))).toBe(413);
    expect(await statusOf(url, '/mcp', { authorization }, '{')).toBe(400);
    const client = await connect();
    const large = client.callTool({ name: 'Glob', arguments: { pattern: 'x'.repeat(10_000) } });
    await expect(large).rejects.toThrow(/413|too large/i);
    expect(textOf(await client.callTool({ name: 'Glob', arguments: { pattern: '*' } }))).toBe('No files found');
  });

  test('the result of a call with a lost connection reaches the reconnected client', async () => {
    const { connect, toolkit } = await servedToolkit();
    let finish = (_: string) => {};
    toolkit.registry.register(
      tool(
        'Slow',
        () =>
          new Promise<string>((resolve) => {
            finish = resolve;
          }),
      ),
    );
    const streams: AbortController[] = [];
    const breaking: typeof fetch = async (input, init) => {
      const stop = new AbortController();
      if (String(init?.body).includes('tools/call')) streams.push(stop);
      const signal = AbortSignal.any([stop.signal, ...(init?.signal ? [init.signal] : [])]);
      return await fetch(input, { ...init, signal });
    };
    const client = await connect({ fetch: breaking });
    let resumedAt: string | undefined;
    const call = client.callTool({ name: 'Slow' }, undefined, {
      onresumptiontoken: (token) => {
        resumedAt = token;
      },
    });
    await until(() => resumedAt !== undefined);
    for (const stream of streams) stream.abort();
    finish('here it is');
    expect(textOf(await call)).toBe('here it is');
  });

  test('close ends running calls and open connections', async () => {
    const { connect, serving, toolkit, url } = await servedToolkit();
    const { running, wasAborted } = registerWait(toolkit);
    const client = await connect();
    client.callTool({ name: 'Wait' }).catch(() => {});
    await running;
    await serving.close();
    await serving.closed;
    expect(wasAborted()).toBe(true);
    expect(toolkit.sessions()).toEqual([]);
    await expect(fetch(url)).rejects.toThrow();
    expect((await toolkit.call('Glob', { pattern: '*' })).ok).toBe(true);
  });
});

describe('invalid arguments are rejected at once', () => {
  const mistakes = [
    [{ port: 0, token: 'short' }, /token takes false or a text of at least 16/],
    [{ port: 0, token: false as const, host: '0.0.0.0' }, /loopback only/],
    [{ port: 70_000, token }, /port takes/],
    [{ port: 0, token, allowedHosts: [1 as never] }, /allowedHosts takes/],
  ] as const;
  test('invalid options of the transport are rejected by name', () =>
    eachRow(mistakes, ([transport, message]) => expect(servedToolkit({}, transport)).rejects.toThrow(message)));

  test('a used port is reported', async () => {
    const { url } = await servedToolkit();
    await expect(servedToolkit({}, { port: Number(url.port) })).rejects.toThrow(/EADDRINUSE/);
  });
});

/** The status of the response to a bare message. */
function statusOf(
  url: URL,
  path: string,
  headers: Record<string, string | undefined>,
  body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
): Promise<number | undefined> {
  const accept = 'application/json, text/event-stream';
  const all = { accept, 'content-type': 'application/json', ...headers };
  return new Promise((resolve, reject) => {
    const sent = request({ port: url.port, host: url.hostname, path, method: 'POST', headers: all }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode));
    });
    sent.on('error', reject).end(body);
  });
}
