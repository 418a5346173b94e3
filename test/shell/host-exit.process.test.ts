import { existsSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { onHostExit } from '../../src/shell/run/host-exit.js';
import { startHost } from '../support/exiting-hosts.js';
import { processesWith, shellBench, uniqueSeconds } from '../support/shell.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

/** Three processes in the background: in the group, out of it, and out of it without the environment. */
const tree = (seconds: string) => `sleep ${seconds} & setsid sleep ${seconds} & env -i setsid /bin/sleep ${seconds} &`;

describe('no process remains when the host ends', () => {
  test.each([
    ['by process.exit', 'exit', undefined, { code: 3, signal: null }],
    ['by an uncaught error', 'throw', undefined, { code: 1, signal: null }],
    ['by an unhandled rejection', 'reject', undefined, { code: 1, signal: null }],
    ['by having nothing more to do', 'left', undefined, { code: 0, signal: null }],
    ['by SIGTERM', 'run', 'SIGTERM', { code: null, signal: 'SIGTERM' }],
    ['by SIGINT', 'run', 'SIGINT', { code: null, signal: 'SIGINT' }],
    ['by SIGHUP', 'run', 'SIGHUP', { code: null, signal: 'SIGHUP' }],
    ['by its own handler', 'own-handler', 'SIGTERM', { code: 7, signal: null }],
  ] as const)('%s', async (_, way, signal, how) => {
    const seconds = uniqueSeconds();
    const host = await startHost(tree(seconds), way);
    if (signal !== undefined) process.kill(host.pid, signal);
    expect(await host.ended).toEqual(how);
    await until(() => processesWith(seconds).length === 0);
    expect(processesWith(seconds)).toEqual([]);
    expect(host.folder).not.toBe('');
    expect(existsSync(host.folder)).toBe(false);
  });
});

test('a signal that the host handles without ending does not end commands', async () => {
  const seconds = uniqueSeconds();
  const host = await startHost(`sleep ${seconds} &`, 'stays');
  process.kill(host.pid, 'SIGTERM');
  await until(() => host.lines.includes('stayed'));
  expect(processesWith(seconds).length).toBeGreaterThan(0);
  process.kill(host.pid, 'SIGINT');
  await host.ended;
  await until(() => processesWith(seconds).length === 0);
  expect(processesWith(seconds)).toEqual([]);
});

test('processes and files of a killed host are removed by the next shell, those of a running host are not', async () => {
  // Every shell on this machine cleans the common folder.
  vi.stubEnv('TMPDIR', temporaryFolder());
  const [dead, living] = [uniqueSeconds(), uniqueSeconds()];
  const killed = await startHost(tree(dead), 'run');
  const other = await startHost(tree(living), 'run');
  process.kill(killed.pid, 'SIGKILL');
  await killed.ended;
  expect(processesWith(dead).length).toBeGreaterThan(0);
  expect(existsSync(killed.folder)).toBe(true);
  const { run } = shellBench();
  await run('true');
  await until(() => processesWith(dead).length === 0 && !existsSync(killed.folder));
  expect(processesWith(dead)).toEqual([]);
  expect(existsSync(killed.folder)).toBe(false);
  expect(processesWith(living).length).toBeGreaterThan(0);
  process.kill(other.pid, 'SIGTERM');
  await other.ended;
});

test('many registrations leak no memory and no listeners', () => {
  const before = { listeners: process.listenerCount('SIGINT'), max: process.getMaxListeners() };
  const detachAll = Array.from({ length: 30 }, () => onHostExit(() => {}));
  expect(process.listenerCount('SIGINT')).toBe(before.listeners + 30);
  for (const detach of detachAll) detach();
  expect({ listeners: process.listenerCount('SIGINT'), max: process.getMaxListeners() }).toEqual(before);
});
