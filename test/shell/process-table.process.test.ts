import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  ancestorsOf,
  commandOf,
  environmentOf,
  groupExists,
  lastProcessId,
  outputsOf,
  processIds,
  readProcess,
  sendSignal,
} from '../../src/shell/run/process-table.js';
import { temporaryFolder } from '../support/temporary-folder.js';

function sleeper(words: readonly string[] = ['60']) {
  const file = join(temporaryFolder(), 'out');
  const child = spawn('sleep', [...words], {
    detached: true,
    stdio: ['ignore', openSync(file, 'a'), 'ignore'],
    env: { PATH: process.env.PATH, MARK: 'x y' },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  return { pid: child.pid ?? 0, child, ended, file };
}

test('a running process is listed with its parent, group and session', async () => {
  const { pid, child, ended, file } = sleeper();
  await new Promise((resolve) => child.once('spawn', resolve));
  const entry = readProcess(pid);
  expect(entry).toMatchObject({ pid, parent: process.pid, group: pid, session: pid });
  expect(processIds()).toContain(pid);
  expect(lastProcessId()).toBeGreaterThan(0);
  expect(commandOf(pid)).toBe('sleep 60');
  expect(environmentOf(pid)).toContain('MARK=x y\0');
  expect(outputsOf(pid)).toContain(file);
  expect(entry !== undefined && readProcess(entry.pid)?.start === entry.start).toBe(true);
  expect([sendSignal(pid, 0), groupExists(pid)]).toEqual([true, true]);
  expect(sendSignal(-pid, 'SIGKILL')).toBe(true);
  await ended;
  expect(entry !== undefined && readProcess(entry.pid)?.start === entry.start).toBe(false);
  expect(readProcess(pid)).toBeUndefined();
  expect([sendSignal(pid, 0), groupExists(pid)]).toEqual([false, false]);
});

test('the ancestors of a process are listed up to the first', () => {
  expect([...ancestorsOf(process.pid)]).toEqual(expect.arrayContaining([process.pid, process.ppid, 1]));
  expect([...ancestorsOf(4_194_305)]).toEqual(expect.arrayContaining([1]));
});

test('a missing process gives no data', () => {
  const none = 4_194_305;
  expect([readProcess(none), environmentOf(none), outputsOf(none), commandOf(none)]).toEqual([
    undefined,
    undefined,
    [],
    `process ${none}`,
  ]);
});

test('a long command line is cut', async () => {
  const { pid, child } = sleeper(['60', ...Array.from({ length: 100 }, () => '0.1')]);
  await new Promise((resolve) => child.once('spawn', resolve));
  expect(commandOf(pid, undefined, 50)).toHaveLength(50);
  expect(commandOf(pid, () => 'a😀', 2).isWellFormed()).toBe(true);
});
