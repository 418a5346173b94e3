import { expect, test } from 'vitest';
import { hostileServer, mcpWorld } from '../support/mcp-world.js';
import { until } from '../support/until.js';
import { webServer } from '../support/web-server.js';

const endless = 'The server keeps sending more than 2000 messages a second.';

test('a server that floods is ended, and calls of another continue', { timeout: 120_000 }, async () => {
  const rows = [
    { method: 'ping', id: 1 },
    { method: 'notifications/tools/list_changed' },
    { method: 'notifications/message', params: { level: 'info', data: 'still here' } },
    { method: 'notifications/progress', params: { progressToken: 7, progress: 1 } },
    { id: 99_999, result: {} },
    { method: 'sampling/createMessage', id: 2, params: { messages: [], maxTokens: 1 } },
  ];
  const talkers = Object.fromEntries(
    rows.map((row, at) => [`talks${at}`, hostileServer('talks', JSON.stringify(row))]),
  );
  const { manager, call, stateOf } = mcpWorld({ good: hostileServer('good'), ...talkers });
  await manager.connect();
  let calls = 0;
  const names = new Set(Object.keys(talkers));
  while (names.size > 0) {
    expect((await call('good', 'echo')).content).toHaveLength(1);
    calls++;
    for (const name of names) if (stateOf(name)?.error === endless) names.delete(name);
    await new Promise(setImmediate);
  }
  // The event loop was never blocked.
  expect(calls).toBeGreaterThan(100);
  expect(stateOf('good')?.state).toBe('connected');
});

test('a server over HTTP that floods is ended', { timeout: 120_000 }, async () => {
  const { url, requests } = await webServer((request, response) => {
    if (request.method === 'GET') {
      const event =
        `data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })}\n\n`.repeat(200);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const more = () => {
        while (response.write(event));
      };
      response.on('drain', more);
      return more();
    }
    const { id, method } = JSON.parse(requests.at(-1)?.body || '{}');
    if (id === undefined) return response.writeHead(202).end();
    const initialized = {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'x', version: '1' },
    };
    const result = method === 'initialize' ? initialized : { tools: [] };
    return response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  const { manager, stateOf } = mcpWorld({ h: { url } });
  await manager.connect();
  await until(() => stateOf('h')?.error === endless);
  expect(stateOf('h')?.state).toBe('reconnecting');
});
