import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { environmentOf } from '../../src/shell/run/process-table.js';
import { processesWith, shellBench, uniqueSeconds } from '../support/shell.js';

const rounds = 40;

test('a daemon that still forks when its command ends is named, and ended with the toolkit', async () => {
  const seconds = uniqueSeconds();
  const { run, shell } = shellBench();
  const command = `(setsid sh -c "sleep ${seconds} &" >/dev/null 2>&1 &); true`;
  const named: number[] = [];
  for (let round = 0; round < rounds; round++) named.push((await run(command)).survivors.length);
  expect(named).not.toContain(0);
  await shell.dispose();
  expect(processesWith(seconds)).toEqual([]);
});

test('a daemon that still forks when its command is stopped is ended with it', async () => {
  const seconds = uniqueSeconds();
  const { run } = shellBench();
  const stop = new AbortController();
  const command = `(setsid sh -c "sleep ${seconds} &" >/dev/null 2>&1 &); echo started; sleep ${seconds}`;
  let started = 0;
  const onOutput = () => {
    if (++started === rounds) stop.abort();
  };
  const stopped = Array.from({ length: rounds }, () => run(command, { onOutput }, stop.signal));
  await Promise.allSettled(stopped);
  expect(processesWith(seconds)).toEqual([]);
});

test('the environment of a process during exec is its own or unknown, never empty', async () => {
  const seen = new Set<string | undefined>();
  for (let round = 0; round < rounds; round++) {
    const child = spawn('/bin/sh', ['-c', 'exec sh -c "exec true"'], { env: { MARK: 'x' }, stdio: 'ignore' });
    const ended = once(child, 'exit');
    for (let look = 0; look < 200; look++) seen.add(environmentOf(child.pid ?? 0));
    await ended;
  }
  expect([...seen].filter((text) => text !== undefined && !text.includes('MARK=x\0'))).toEqual([]);
});
