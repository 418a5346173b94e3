import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { markerName, markerValue } from '../../src/processes/process-marker.js';
import { ancestorsOf } from '../../src/processes/process-table.js';
import { ProcessTree } from '../../src/processes/process-tree.js';
import { workMs } from '../support/main-thread.js';
import { processesWith, uniqueSeconds, until } from '../support/shell.js';

/** What ten thousand small questions of the system take. */
function readStat(): void {
  for (let round = 0; round < 10_000; round++) readFileSync('/proc/self/stat');
}

async function tree(command: string, wanted: number, killGraceMs = 200) {
  const seconds = uniqueSeconds();
  const env = { PATH: process.env.PATH, [markerName]: markerValue('tree-test', 1, undefined) };
  const child = spawn('/bin/bash', ['-c', command.replaceAll('S', seconds)], { detached: true, stdio: 'ignore', env });
  const ended = once(child, 'exit');
  const found = new ProcessTree(
    {
      pid: child.pid ?? 0,
      owner: 'tree-test',
      run: 1,
      outputFiles: ['/nowhere'],
      ancestors: ancestorsOf(process.pid),
      scrub: (text) => text,
    },
    { killGraceMs, drainMs: 20, reapMs: 200 },
  );
  // The words of a program that runs are kept apart by zeros; those of a shell that is about to start it are not.
  await until(() => processesWith(`sleep\0${seconds}`).filter((pid) => pid !== child.pid).length >= wanted);
  return { found, ended, left: () => processesWith(seconds) };
}

test('a tree that obeys TERM is gone before the grace is over', async () => {
  const { found, ended, left } = await tree('sleep S & setsid sleep S & (sleep S); true', 3, 86_400_000);
  expect(await found.end()).toEqual([]);
  await ended;
  expect(left()).toEqual([]);
  expect(found.isGone()).toBe(true);
});

test('one that does not is killed after the grace', async () => {
  const { found, ended, left } = await tree('trap "" TERM; sleep S & setsid sleep S & wait; sleep S', 2);
  expect(await found.end()).toEqual([]);
  await ended;
  expect(left()).toEqual([]);
});

test('after the shell has exited, what it left is named and can still be ended', async () => {
  const { found, ended, left } = await tree('sleep S & setsid sleep S & exit 0', 2);
  await ended;
  expect((await found.settle()).map(({ command }) => command.split(' ')[0])).toEqual(['sleep', 'sleep']);
  expect(found.isGone()).toBe(false);
  expect(await found.end()).toEqual([]);
  expect(left()).toEqual([]);
  expect([found.isGone(), found.survivors()]).toEqual([true, []]);
});

test('while something known lives, asking whether all is gone costs next to nothing', async () => {
  const { found, ended } = await tree('sleep S & exit 0', 1);
  await ended;
  await found.settle();
  const asking = workMs(() => {
    for (let round = 0; round < 1_000; round++) if (found.isGone()) throw new Error('gone');
  });
  expect(asking).toBeLessThan(workMs(readStat));
  await found.end();
});

test('kill ends what is known at once', async () => {
  const { found, ended, left } = await tree('sleep S & sleep S; true', 2);
  found.kill();
  await ended;
  await until(() => left().length === 0);
  expect(left()).toEqual([]);
});

test('what was seen once is still known when it has left parents, environment and output behind', async () => {
  const { found, ended, left } = await tree('(env -i setsid /bin/sleep S >/dev/null 2>&1 & sleep 0.3); sleep S', 1);
  found.notice();
  await until(() => left().length === 2);
  expect(await found.end()).toEqual([]);
  await ended;
  expect(left()).toEqual([]);
});

test('taking note of what runs costs next to nothing, however often it is called', async () => {
  const { found, ended } = await tree('for i in 1 2 3 4 5 6 7 8; do sleep S & done; sleep S', 8);
  const noticing = workMs(() => {
    for (let round = 0; round < 10_000; round++) found.notice();
  });
  expect(noticing).toBeLessThan(workMs(readStat));
  await found.end();
  await ended;
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
