import { afterAll, expect, test } from 'vitest';
import { createToolkit } from '../../src/index.js';
import { hostileServer, mcpWorld, newMark, processesOf } from '../support/mcp-world.js';
import { until } from '../support/shell.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const lines: string[] = [];
afterAll(() => process.stdout.write(`${lines.join('\n')}\n`));

test('100 kills during calls: each call has one result, the tools stay, and nothing is left', {
  timeout: 300_000,
}, async () => {
  const mark = newMark();
  const limits = { reconnectMinMs: 1, reconnectMaxMs: 1, maxReconnects: 1_000 };
  const { manager } = mcpWorld({ odd: hostileServer('kill_during_call', '', mark) }, { limits });
  await manager.connect();
  const toolkit = createToolkit({ root: temporaryFolder(), hosts: { mcp: manager }, permissions: 'bypassPermissions' });
  for (let kill = 0; kill < 100; kill++) {
    await until(() => manager.status()[0]?.state === 'connected');
    const calls = ['a', 'b', 'c'].map((id) => ({ id, name: 'mcp__odd__echo', input: {} }));
    const { results } = await toolkit.execute(calls);
    expect(results.map((result) => (result.ok ? 'ok' : result.error.code))).toEqual(Array(3).fill('mcp_unavailable'));
    expect(toolkit.definitions().some(({ name }) => name === 'mcp__odd__echo')).toBe(true);
  }
  await toolkit.dispose();
  await manager.dispose();
  expect(processesOf(mark)).toEqual([]);
});

test('50 servers with 2,000 tools, 10 of them hostile: the other 40 see no failed call', {
  timeout: 300_000,
}, async () => {
  const mark = newMark();
  const hostile = [
    'exit_at_once',
    'crash_at_initialize',
    'never_answers_initialize',
    'hang',
    'crash_during_call',
    'huge_result',
    'endless_line',
    'flood_of_changes',
    'flood_of_stderr',
    'garbage_around',
  ];
  const servers = Object.fromEntries([
    ...Array.from({ length: 40 }, (_, at) => [`good${at}`, hostileServer('fifty', '', mark)]),
    ...hostile.map((behaviour) => [behaviour, hostileServer(behaviour, '', mark)]),
  ]);
  const before = process.memoryUsage().rss;
  const begin = performance.now();
  const limits = { connectTimeoutMs: 20_000, inactivityMs: 10_000 };
  const { manager, call } = mcpWorld(servers, { limits });
  await manager.connect();
  const startedMs = performance.now() - begin;
  const good = manager.status().filter(({ name }) => name.startsWith('good'));
  expect(good.every(({ state }) => state === 'connected')).toBe(true);
  expect(manager.tools().length).toBeGreaterThanOrEqual(2_000);
  const bad = hostile.map((name) => call(name, 'echo').catch(() => undefined));
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all(good.map(({ name }) => call(name, `t${round}`, { round })));
    for (const { content } of answers) expect(content).toEqual([{ type: 'text', text: JSON.stringify({ round }) }]);
  }
  await Promise.all(bad);
  const megabytes = (process.memoryUsage().rss - before) / 1e6;
  lines.push(`50 servers: up in ${Math.round(startedMs)} ms, ${Math.round(megabytes)} MB over before`);
  await manager.dispose();
  expect(processesOf(mark)).toEqual([]);
});
