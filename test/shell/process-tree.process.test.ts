import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { markerName, markerValue } from '../../src/shell/run/child-environment.js';
import * as machine from '../../src/shell/run/process-table.js';
import { type Machine, ProcessTree } from '../../src/shell/run/process-tree.js';
import { fakeTimers } from '../../src/testing/index.js';
import { processesWith, uniqueSeconds } from '../support/shell.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

async function tree(command: string, wanted: number, killGraceMs = 200) {
  const seconds = uniqueSeconds();
  const env = { PATH: process.env.PATH, [markerName]: markerValue('tree-test', 1, undefined) };
  const child = spawn('/bin/bash', ['-c', command.replaceAll(/(?<= )S\b/g, seconds)], {
    detached: true,
    stdio: 'ignore',
    env,
  });
  const ended = once(child, 'exit');
  const found = new ProcessTree(
    {
      pid: child.pid ?? 0,
      owner: 'tree-test',
      run: 1,
      outputFiles: ['/nowhere'],
      ancestors: machine.ancestorsOf(process.pid),
      scrub: (text) => text,
    },
    { killGraceMs, drainMs: 20, reapMs: 200 },
  );
  // The arguments of the running program are separated by zeros; those of the shell before exec are not.
  await until(() => processesWith(`sleep\0${seconds}`).filter((pid) => pid !== child.pid).length >= wanted);
  return { found, ended, left: () => processesWith(seconds) };
}

test('a process tree that ends on TERM is gone before the grace period ends', async () => {
  const { found, ended, left } = await tree('sleep S & setsid sleep S & (sleep S); true', 3, 86_400_000);
  expect(await found.end()).toEqual([]);
  await ended;
  expect(left()).toEqual([]);
  expect(found.isGone()).toBe(true);
});

test('a process tree that ignores TERM is killed after the grace period', async () => {
  const { found, ended, left } = await tree('trap "" TERM; sleep S & setsid sleep S & wait; sleep S', 2);
  expect(await found.end()).toEqual([]);
  await ended;
  expect(left()).toEqual([]);
});

test('after the shell has exited, leftover processes are named and can be ended', async () => {
  const { found, ended, left } = await tree('sleep S & setsid sleep S & exit 0', 2);
  await ended;
  expect((await found.settle()).map(({ command }) => command.split(' ')[0])).toEqual(['sleep', 'sleep']);
  expect(found.isGone()).toBe(false);
  expect(await found.end()).toEqual([]);
  expect(left()).toEqual([]);
  expect([found.isGone(), found.survivors()]).toEqual([true, []]);
});

test('kill ends known processes at once', async () => {
  const { found, ended, left } = await tree('sleep S & sleep S; true', 2);
  found.kill();
  await ended;
  await until(() => left().length === 0);
  expect(left()).toEqual([]);
});

test('a process that was seen once is known after it has dropped parents, environment and output', async () => {
  const go = join(temporaryFolder(), 'go');
  const wait = `until [ -e ${go} ]; do sleep 0.02; done`;
  const { found, ended, left } = await tree(`(env -i setsid /bin/sleep S >/dev/null 2>&1 & ${wait}); sleep S`, 1);
  found.notice();
  writeFileSync(go, '');
  await until(() => left().length === 2);
  expect(await found.end()).toEqual([]);
  await ended;
  expect(left()).toEqual([]);
});

test('processes of others are never touched', async () => {
  const seconds = uniqueSeconds();
  const other = spawn('sleep', [seconds], { detached: true, stdio: 'ignore' });
  const { found, ended } = await tree('sleep S & sleep S; true', 2);
  await found.end();
  await ended;
  expect(processesWith(seconds)).toEqual([other.pid]);
  other.kill('SIGKILL');
  await once(other, 'exit');
});

/** A shell and its children on a simulated machine with its own clock, and the recorded scans and signals. */
function inMemory(children: number, dies: (pid: number, signal: string) => boolean = () => true) {
  const timers = fakeTimers();
  const living = new Set(Array.from({ length: children + 1 }, (_, index) => 100 + index));
  const [sent, read]: [string[], number[]] = [[], []];
  const seen: Machine = {
    ...machine,
    sendSignal: (pid, signal) => {
      if (signal !== 'SIGCONT') sent.push(`${timers.now()} ${signal} ${pid}`);
      for (const id of pid < 0 ? [...living] : [pid]) if (dies(id, String(signal))) living.delete(id);
      return true;
    },
    groupExists: () => living.size > 0,
    lastProcessId: () => 100 + children,
    processIds: () => [...living],
    childrenOf: (pid) => (pid === 100 ? [...living].filter((id) => id > 100) : []),
    readProcess: (pid) => {
      read.push(pid);
      return living.has(pid) ? { pid, parent: 1, group: 100, session: 100, start: pid } : undefined;
    },
    environmentOf: () => '',
    outputsOf: () => [],
    commandOf: (pid) => `command ${pid}`,
  };
  const scrub = (text: string) => text;
  const identity = { pid: 100, owner: 'o', run: 1, outputFiles: [], ancestors: new Set([1]), scrub };
  const limits = { killGraceMs: 2_000, drainMs: 50, reapMs: 1_000 };
  return { found: new ProcessTree(identity, limits, { timers, machine: seen }), timers, living, sent, read };
}

test('KILL follows TERM exactly after the grace period, and survivors of both are named', async () => {
  const stubborn = inMemory(2, (pid, signal) => signal === 'SIGKILL' && pid !== 102);
  const ended = stubborn.found.end();
  await stubborn.timers.advance(1_999);
  expect(stubborn.sent).toEqual(['0 SIGTERM -100']);
  await stubborn.timers.advance(2);
  expect(stubborn.sent[1]).toMatch(/^200[01][.\d]* SIGKILL -100$/);
  expect([...stubborn.living]).toEqual([102]);
  await stubborn.timers.advance(1_002);
  expect(await ended).toEqual([{ pid: 102, command: 'command 102' }]);

  const quick = inMemory(2);
  expect(await quick.found.end()).toEqual([]);
  expect([quick.sent, quick.timers.pending]).toEqual([['0 SIGTERM -100'], 0]);
});

test('ending children get a moment to end', async () => {
  const { found, timers, living } = inMemory(2);
  living.delete(100);
  const settled = found.settle();
  await timers.advance(40);
  living.delete(101);
  await timers.advance(50);
  expect(await settled).toEqual([{ pid: 102, command: 'command 102' }]);
});

test('while a known process lives, only that process is checked', async () => {
  const { found, timers, read } = inMemory(8);
  const settled = found.settle();
  await timers.advance(100);
  await settled;
  read.length = 0;
  for (let round = 0; round < 1_000; round++) expect(found.isGone()).toBe(false);
  expect(read).toEqual(Array(1_000).fill(100));
});

test('recording running processes scans twice, and not again within half a second', async () => {
  const { found, timers, read } = inMemory(8);
  for (let round = 0; round < 10_000; round++) found.notice();
  expect(read.length).toBeLessThan(20);
  read.length = 0;
  await timers.advance(499);
  found.notice();
  expect(read).toEqual([]);
  await timers.advance(1);
  found.notice();
  expect(read.length).toBeGreaterThan(0);
});
