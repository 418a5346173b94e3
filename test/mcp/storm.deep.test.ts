import { setMaxListeners } from 'node:events';
import { expect, test } from 'vitest';
import type { McpServerConfig } from '../../src/mcp.js';
import { hostileServer, mcpWorld, newMark, processesOf } from '../support/mcp-world.js';
import { runs } from '../support/runs.js';
import { until } from '../support/until.js';

const kills = runs(100);

test(
  `${kills} kills during calls: one result each, tools still offered, nothing left`,
  {
    timeout: 240_000,
  },
  async () => {
    const mark = newMark();
    const limits = { reconnectMinMs: 1, reconnectMaxMs: 20, maxReconnects: 1_000 };
    const { manager, call, stateOf } = mcpWorld({ one: hostileServer('with_children', '', mark) }, { limits });
    await manager.connect();
    let settled = 0;
    let started = 0;
    const outcomes = new Map<string, number>();
    for (let round = 0; round < kills; round++) {
      await until(() => stateOf('one')?.state === 'connected');
      const calls = Array.from({ length: 5 }, async (_, at) => {
        started++;
        const outcome = await call('one', 'echo', { round, at }).then(
          () => 'answered',
          (thrown: { readonly code: string }) => thrown.code,
        );
        settled++;
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      });
      // Kills the server, or a child that keeps its output open, at different moments.
      const pids = processesOf(mark);
      if (round % 2 === 0) await new Promise(setImmediate);
      for (const pid of pids) if (round % 5 !== 0 || pid === pids[0]) process.kill(pid, 'SIGKILL');
      await Promise.all(calls);
      expect(manager.tools().map(({ name }) => name)).toEqual(['echo']);
      await until(() => stateOf('one')?.state === 'reconnecting' || !processesOf(mark).includes(pids[0] ?? 0));
    }
    expect(settled).toBe(started);
    expect([...outcomes.keys()].filter((outcome) => outcome !== 'answered' && outcome !== 'mcp_unavailable')).toEqual(
      [],
    );
    await manager.dispose();
    expect(processesOf(mark)).toEqual([]);
  },
);

const hostile = [
  ...['exit_at_once', 'never_answers_initialize', 'crash_at_list', 'huge_list', 'endless_pages'],
  ...['flood_of_changes', 'flood_of_stderr', 'crash_during_call', 'huge_result', 'ignores_end_with_children'],
];

test(
  '50 servers with 2,000 tools, 10 of them hostile: no call of the other 40 fails',
  {
    timeout: 240_000,
  },
  async () => {
    const mark = newMark();
    const good = Array.from({ length: 40 }, (_, at) => [`good${at}`, hostileServer('fifty', '', mark)] as const);
    const bad = hostile.map((behaviour) => [behaviour, hostileServer(behaviour, '', mark)] as const);
    const servers: Record<string, McpServerConfig> = Object.fromEntries([...bad, ...good]);
    const limits = { connectTimeoutMs: 20_000, inactivityMs: 20_000, maxPages: 50, maxMessageBytes: 8_000_000 };
    const { manager, call, scope } = mcpWorld(servers, { limits });
    setMaxListeners(0, scope.signal);
    const before = process.memoryUsage().rss;
    const connecting = manager.connect();
    await until(() => good.every(([name]) => manager.tools(name).length === 50));
    const failures: unknown[] = [];
    const failed = (thrown: unknown) => void failures.push(thrown);
    const nuisance = ['crash_during_call', 'huge_result'].map((name) => call(name, 'echo').catch(() => {}));
    for (let round = 0; round < 10; round++)
      await Promise.all(good.map(([name], at) => call(name, `t${(round * 5 + at) % 50}`, { round }).catch(failed)));
    await Promise.all(nuisance);
    expect(failures).toEqual([]);
    const megabytes = (process.memoryUsage().rss - before) / 1_000_000;
    process.stdout.write(`50 servers: 2,000 tools, ${megabytes.toFixed(0)} MB more\n`);
    expect(megabytes).toBeLessThan(300);
    await manager.dispose();
    await connecting;
    expect(processesOf(mark)).toEqual([]);
  },
);
