import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createToolkit } from 'toolwright';
import { nodesTool, webSocketNodes } from 'toolwright/extras/nodes';
import { fakeTimers, memoryFiles } from 'toolwright/testing';
import { expect, onTestFinished, test } from 'vitest';
import WebSocket from 'ws';
import { eachRow } from '../support/each-row.js';
import { until } from '../support/until.js';

const token = ['made', 'up', 'token', 'of', 'nodes'].join('-');
const program = fileURLToPath(new URL('../../examples/nodes/node.ts', import.meta.url));
const echo = { name: 'echo', description: 'Say it again', inputSchema: { type: 'object' } };
const hello = { type: 'hello', token, name: 'phone', commands: [echo] };
const invocation = { action: 'invoke', node: 'phone', command: 'echo', input: { text: 'Hello' } };

async function world() {
  const timers = fakeTimers();
  const nodes = webSocketNodes({ port: 0, token, timers });
  const toolkit = createToolkit({
    root: '/workspace',
    hosts: { files: memoryFiles({}) },
    permissions: 'bypassPermissions',
  });
  onTestFinished(async () => {
    await nodes.dispose();
    await toolkit.dispose();
  });
  toolkit.registry.register(nodesTool(nodes, { timers }));
  const call = (input: object, signal?: AbortSignal) => toolkit.call('nodes', input, { signal });
  const url = await nodes.url();
  const listed = async (wanted: string) => {
    let last = '';
    const look = () => {
      void call({ action: 'list' }).then(({ output }) => {
        last = output;
      });
      return last === wanted;
    };
    await until(look);
  };
  return { timers, nodes, call, url, listed };
}

/** A device that records received messages and sends those of the test. */
function device(url: string, ...first: readonly unknown[]) {
  const socket = new WebSocket(url);
  const heard: { readonly id: string; readonly [field: string]: unknown }[] = [];
  const send = (message: unknown) => socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  socket.on('error', () => {});
  socket.on('open', () => first.forEach(send));
  socket.on('message', (data) => void heard.push(JSON.parse(String(data))));
  const closed = new Promise<string>((resolve) =>
    socket.on('close', (code, reason) => resolve(`${code} ${reason}`.trim())),
  );
  onTestFinished(() => socket.terminate());
  return { socket, heard, send, closed };
}

test('a node declares its commands, and each call gets its own result', async () => {
  const { call, url, listed } = await world();
  expect((await call({ action: 'list' })).output).toBe('No node has connected');
  const phone = device(url, hello);
  await listed('phone (connected): echo');
  const results = ['one', 'two'].map((text) => call({ ...invocation, input: { text } }));
  await until(() => phone.heard.length === 2);
  const [first, second] = phone.heard;
  expect(first).toEqual({ type: 'invoke', id: expect.any(String), command: 'echo', input: { text: 'one' } });
  phone.send({ type: 'result', id: second?.id, ok: false, error: 'out of\u202e paper' });
  phone.send({ type: 'result', id: first?.id, ok: true, output: { said: 'one' } });
  const [one, two] = await Promise.all(results);
  expect(one).toMatchObject({ ok: true, output: expect.stringContaining('"said": "one"') });
  expect(two).toMatchObject({
    error: { code: 'execution_failed' },
    output: expect.stringContaining('phone failed: out of\\u{202e} paper'),
  });
});

test('a node in its own process dies during a call and reconnects', async () => {
  const { nodes, call, url, listed } = await world();
  const start = () => {
    const env = { ...process.env, NODE_TOKEN: token };
    const child = spawn(process.execPath, ['--import', 'tsx', program, url, 'desk'], { env, stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  };
  const host = { action: 'invoke', node: 'desk', command: 'host' };
  const first = start();
  await listed('desk (connected): host');
  expect((await call(host)).ok).toBe(true);
  // The node does not receive the invocation any more.
  first.kill('SIGSTOP');
  const result = call(host);
  first.kill('SIGKILL');
  expect(await result).toMatchObject({
    error: { code: 'network_failed' },
    output: expect.stringContaining('desk disconnected before it answered. The command may have run'),
  });
  await listed('desk (not connected): host');
  expect(await call(host)).toMatchObject({ output: expect.stringContaining('desk is not connected') });
  const second = start();
  await listed('desk (connected): host');
  expect((await call(host)).ok).toBe(true);
  await nodes.dispose();
  second.kill();
});

test('a protocol violation closes only its own connection', async () => {
  const { call, url, listed } = await world();
  const good = device(url, { ...hello, name: 'good' });
  await listed('good (connected): echo');
  const result = { type: 'result', id: '7', ok: true };
  const [wrong, named] = ['the first message must be a hello:', 'expected letters, digits, _ . and -, at most 64'];
  const command = (fields: object) => ({ ...hello, commands: [{ ...echo, ...fields }] });
  const rows: readonly (readonly [readonly unknown[], string])[] = [
    [['no json'], '4400 messages are JSON objects'],
    [['[]'], '4400 messages are JSON objects'],
    [[{ ...hello, type: 'result' }], '4400 the first message must be a hello: type: expected one of "hello"'],
    [[{ ...hello, token: 7 }], '4400 the first message must be a hello: token: expected a string'],
    [[{ ...hello, token: `${token}x` }], '4401 wrong token'],
    [[{ ...hello, token: token.slice(1) }], '4401 wrong token'],
    [[{ ...hello, name: 'good' }], '4409 another node is connected as good'],
    [[{ ...hello, name: 'a:b' }], `4400 ${wrong} name: ${named}`],
    [[{ ...hello, name: 'x'.repeat(65) }], `4400 ${wrong} name: ${named}`],
    [[{ ...hello, commands: 'echo' }], `4400 ${wrong} commands: expected an array`],
    [[{ ...hello, commands: Array(101).fill(echo) }], `4400 ${wrong} commands: expected at most 100 entries`],
    [[{ ...hello, commands: [echo, echo] }], '4400 two commands have one name'],
    [[{ ...hello, commands: [null] }], `4400 ${wrong} commands.0: expected an object`],
    [[command({ name: '' })], `4400 ${wrong} commands.0.name: ${named}`],
    [[command({ inputSchema: { type: 'string' } })], '4400 inputSchema of echo is not the schema of an object'],
    [[hello, hello], '4400 only results may follow the hello: type: expected one of "result"'],
    [[hello, result], '4400 a result without an invocation'],
    [[hello, ...Array(1_000).fill(result)], '4400 a result without an invocation'],
    [['x'.repeat(1_000_001)], '1009'],
    [[hello, 'x'.repeat(1_000_001)], '1009'],
  ];
  await eachRow(rows, async ([messages, reason]) => {
    expect(await device(url, ...messages).closed).toBe(reason);
  });
  const binary = device(url);
  binary.socket.on('open', () => binary.socket.send(Buffer.from(JSON.stringify(hello))));
  expect(await binary.closed).toBe('4400 messages are JSON objects');
  const asked = call({ ...invocation, node: 'good' });
  await until(() => good.heard.length === 1);
  good.send({ type: 'result', id: good.heard[0]?.id, ok: true, output: 'still here' });
  expect((await asked).output).toContain('still here');
});

test('silent connections are limited, and closed after five seconds', async () => {
  const { timers, url, listed } = await world();
  const silent = Array.from({ length: 20 }, () => device(url));
  await Promise.all(silent.map(({ socket }) => new Promise((resolve) => socket.once('open', resolve))));
  expect(await device(url).closed).toBe('4429 too many connections have not said hello');
  await timers.advance(5_000);
  for (const { closed } of silent) expect(await closed).toBe('4408 say hello within 5000 ms');
  device(url, hello);
  await listed('phone (connected): echo');
});

test('a node that does not answer pings is dropped, and its name is free', async () => {
  const { timers, url, call, listed } = await world();
  const { hostname, port } = new URL(url);
  const raw = connect(Number(port), hostname);
  onTestFinished(() => void raw.destroy());
  const key = Buffer.alloc(16).toString('base64');
  raw.write(
    `GET / HTTP/1.1\r\nHost: ${hostname}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
  );
  const text = Buffer.from(JSON.stringify(hello));
  // A frame of text with a mask of zeros.
  raw.write(Buffer.concat([Buffer.from([0x81, 0xfe, text.length >> 8, text.length & 255, 0, 0, 0, 0]), text]));
  await listed('phone (connected): echo');
  const asked = call(invocation);
  await until(() => timers.pending > 1);
  await timers.advance(29_999);
  await timers.advance(1);
  await timers.advance(30_000);
  expect(await asked).toMatchObject({ ok: false });
  await listed('phone (not connected): echo');
  device(url, hello);
  await listed('phone (connected): echo');
});

test('one result after the time limit is accepted, a second one is a violation', async () => {
  const { timers, url, call, listed } = await world();
  const phone = device(url, hello);
  await listed('phone (connected): echo');
  const late = call(invocation);
  await until(() => phone.heard.length === 1);
  await timers.advance(30_000);
  expect(await late).toMatchObject({ error: { code: 'timeout' } });
  const answer = { type: 'result', id: phone.heard[0]?.id, ok: true };
  phone.send(answer);
  const next = call(invocation);
  await until(() => phone.heard.length === 2);
  phone.send({ ...answer, id: phone.heard[1]?.id });
  expect((await next).output).toContain('Done, without an answer');
  phone.send(answer);
  expect(await phone.closed).toBe('4400 a result without an invocation');
});

test('an abort and the end of the server each give one result', async () => {
  const { nodes, url, call, listed } = await world();
  const phone = device(url, hello);
  await listed('phone (connected): echo');
  const control = new AbortController();
  const aborted = call(invocation, control.signal);
  await until(() => phone.heard.length === 1);
  control.abort();
  expect(await aborted).toMatchObject({ error: { code: 'interrupted' } });
  const scope = { caller: { sessionId: 's' }, signal: control.signal };
  const unsent = nodes.invoke({ node: 'phone', command: 'echo', input: {} }, scope);
  await expect(unsent).rejects.toMatchObject({ code: 'interrupted' });
  const asked = call(invocation);
  await until(() => phone.heard.length === 2);
  await nodes.dispose();
  expect(await asked).toMatchObject({ error: { code: 'network_failed' } });
  expect(await phone.closed).toBe('1006');
  expect(await device(url, hello).closed).toBe('1006');
});

test('the server listens on loopback and serves only WebSocket', async () => {
  const { url } = await world();
  expect(url).toMatch(/^ws:\/\/127\.0\.0\.1:\d+$/);
  expect((await fetch(url.replace('ws:', 'http:'))).status).toBe(426);
  const taken = webSocketNodes({ port: Number(new URL(url).port), token });
  await expect(taken.url()).rejects.toThrow('EADDRINUSE');
  await expect(Promise.resolve(taken.nodes({} as never))).rejects.toThrow('EADDRINUSE');
  await taken.dispose();
});
