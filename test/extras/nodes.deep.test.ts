import { readdirSync } from 'node:fs';
import { createToolkit } from 'toolwright';
import { nodesTool, webSocketNodes } from 'toolwright/extras/nodes';
import { memoryFiles } from 'toolwright/testing';
import { expect, test } from 'vitest';
import WebSocket from 'ws';
import { runs } from '../support/runs.js';
import { until } from '../support/until.js';

const rounds = runs(200);
const token = ['made', 'up', 'token', 'of', 'nodes'].join('-');
const held = () => [
  readdirSync('/proc/self/fd').length,
  process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length,
];

test(`${rounds} nodes that connect, answer, die or flood leave nothing`, async () => {
  const nodes = webSocketNodes({ port: 0, token });
  const toolkit = createToolkit({
    root: '/workspace',
    hosts: { files: memoryFiles({}) },
    permissions: 'bypassPermissions',
  });
  toolkit.registry.register(nodesTool(nodes));
  const url = await nodes.url();
  const commands = [{ name: 'echo' }];
  let count = 0;
  const round = async (index: number) => {
    const name = `node-${++count}`;
    const device = new WebSocket(url);
    const closed = new Promise((resolve) => device.once('close', resolve));
    device.on('error', () => {});
    device.on('open', () => device.send(JSON.stringify({ type: 'hello', token, name, commands })));
    device.on('message', (data) => {
      const { id, input } = JSON.parse(String(data));
      const answer = JSON.stringify({ type: 'result', id, ok: true, output: input.text });
      if (index % 3 === 0) device.terminate();
      else for (let sent = 0; sent < (index % 3 === 1 ? 1 : 1_000); sent++) device.send(answer);
    });
    let output = '';
    while (!output.includes(`${name} (connected)`)) {
      await new Promise(setImmediate);
      ({ output } = await toolkit.call('nodes', { action: 'list' }));
    }
    const input = { text: name };
    const result = await toolkit.call('nodes', { action: 'invoke', node: name, command: 'echo', input });
    if (index % 3 === 0) expect(result).toMatchObject({ error: { code: 'network_failed' } });
    else expect(result.output).toMatch(new RegExp(`\n${name}$`));
    device.close();
    await closed;
  };
  for (let index = 0; index < 6; index++) await round(index);
  const before = held();
  for (let index = 0; index < rounds; index += 4)
    await Promise.all(Array.from({ length: 4 }, (_, offset) => round(index + offset)));
  await until(() => held().every((count, index) => count <= (before[index] ?? 0)));
  const names = (await toolkit.call('nodes', { action: 'list' })).output.split('\n');
  expect(names.length).toBeLessThanOrEqual(50);
  await nodes.dispose();
  await toolkit.dispose();
  await expect(fetch(url.replace('ws:', 'http:'))).rejects.toThrow();
});
