import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createScrubber, type ShellOutput } from '../../src/index.js';
import type { Sandbox } from '../../src/ports/sandbox.js';
import { heldTimers } from '../support/held-timers.js';
import { leftoversOf, processesWith, shellBench, uniqueSeconds } from '../support/shell.js';
import { until } from '../support/until.js';

/** Ways to leave processes or to hang, which made other tools hang forever. `S` is a unique number of seconds. */
const recipes: readonly (readonly [name: string, command: string, left: number])[] = [
  ['a background child that holds the output', 'sleep S & echo ok', 1],
  ['a chatty background child', '(while :; do echo chat; sleep 0.02; done; sleep S) & echo ok', 2],
  ['a child in a session of its own', 'setsid sleep S & echo ok', 1],
  ['the same with its output elsewhere', 'setsid sleep S >/dev/null 2>&1 & echo ok', 1],
  ['nohup', 'nohup sleep S & echo ok', 1],
  ['a double fork', '( (sleep S &) & ); echo ok', 1],
  ['a daemon that closes everything', 'setsid sh -c "exec 0<&- 1>&- 2>&-; cd /; sleep S" & echo ok', 2],
  ['closed descriptors', 'exec 2>&-; echo ok; exec 1>&-; sleep S &', 1],
  ['disown', 'sleep S & disown; echo ok', 1],
  ['a coprocess', 'coproc sleep S; echo ok', 1],
  ['process substitution', 'exec 9> >(sleep S); echo ok', 1],
  ['a pipe that nobody reads', 'sleep S | true & echo ok', 1],
  ['an emptied environment', 'env -i setsid /bin/sleep S & echo ok', 1],
  [
    'an emptied environment, output elsewhere and a parent that is gone',
    // Running processes are scanned twice a second.
    '(env -i setsid /bin/sleep S >/dev/null 2>&1 & sleep 0.8); echo ok',
    1,
  ],
];

describe('a call returns when its shell has exited, and names leftover processes', () => {
  test.each(recipes)('%s', async (_, template, left) => {
    const seconds = uniqueSeconds();
    const { run, shell } = shellBench();
    const outcome = await run(template.replaceAll('S', seconds));
    expect(outcome.output).toContain('ok\n');
    expect(outcome).toMatchObject({ exitCode: 0, timedOut: false });
    expect(outcome.survivors.length).toBeGreaterThanOrEqual(1);
    expect(outcome.survivors.length).toBeLessThanOrEqual(left + 1);
    expect(leftoversOf(shell).map(({ outputFile }) => outputFile)).toContain(outcome.outputFile);
    await shell.dispose();
    expect(processesWith(seconds)).toEqual([]);
  });
});

describe('an endless command is ended by its time limit', () => {
  test.each([
    ['tail -f', 'echo ok > f; tail -f f & sleep S', 1],
    ['yes', 'echo ok; yes', 0],
    ['a child that ignores TERM', 'echo ok; (trap "" TERM; sleep S; sleep S); sleep S', 1],
    ['a loop', 'echo ok; while :; do :; done', 0],
    ['an emptied environment in a session of its own', 'echo ok; env -i setsid /bin/sleep S & sleep S', 2],
    ['a parent that is gone', 'echo ok; (setsid sleep S >/dev/null 2>&1 &); sleep S', 2],
  ])('%s', async (_, template, sleepers) => {
    const seconds = uniqueSeconds();
    const timers = heldTimers();
    const { run } = shellBench({ timers, overrides: { bash: { killGraceMs: 150, maxFileBytes: 1_000_000 } } });
    let file = '';
    const onStart = ({ outputFile }: ShellOutput) => {
      file = outputFile;
    };
    const ended = run(template.replaceAll('S', seconds), { onStart, timeoutMs: 70_000 });
    await until(() => readFileSync(file, 'latin1').startsWith('ok\n'));
    await until(() => processesWith(`sleep\0${seconds}`).length >= sleepers);
    await timers.fire(70_000);
    const outcome = await ended;
    expect(outcome).toMatchObject({ timedOut: true, survivors: [] });
    expect(outcome.output).toMatch(/^ok\n/);
    expect(processesWith(seconds)).toEqual([]);
  });
});

test.each([
  ['cat', ''],
  ['read -p "Proceed? " answer; echo "[$answer]"', 'Proceed? []\n'],
  ['bash', ''],
  ['git commit', undefined],
])('a command that reads input ends at once: %s', async (command, output) => {
  const { run } = shellBench();
  const outcome = await run(command, { timeoutMs: 60_000 });
  expect(outcome.timedOut).toBe(false);
  if (output !== undefined) expect(outcome.output).toBe(output.replace('Proceed? ', ''));
});

test('leftover processes continue when another command or session ends', async () => {
  const [seconds, others] = [uniqueSeconds(), uniqueSeconds()];
  const { run, shell } = shellBench();
  const stop = new AbortController();
  const stopped = run(`sleep ${others}`, {}, stop.signal);
  await until(() => processesWith(others).length > 0);
  expect((await run(`setsid sleep ${seconds} & echo ok`)).survivors).toHaveLength(1);
  stop.abort();
  await expect(stopped).rejects.toMatchObject({ code: 'interrupted' });
  await shell.endSession('s2');
  expect(processesWith(seconds)).toHaveLength(1);
  await shell.endSession('s1');
  expect(processesWith(seconds)).toEqual([]);
});

test('output after the call has returned is in the file', async () => {
  const { run, root } = shellBench();
  const { outputFile, output } = await run('(until [ -e go ]; do sleep 0.02; done; echo late) & echo now');
  expect(output).toBe('now\n');
  writeFileSync(join(root, 'go'), '');
  await until(() => readFileSync(outputFile, 'utf8') === 'now\nlate\n');
  expect(readFileSync(outputFile, 'utf8')).toBe('now\nlate\n');
});

test('output of a process substitution that ends with the shell is complete', async () => {
  const { run } = shellBench();
  expect((await run('echo a > >(cat); echo b')).output.split('\n').sort()).toEqual(['', 'a', 'b']);
});

test('a leftover process that ends by itself is removed from the list', async () => {
  const { run, shell, root } = shellBench({ overrides: { bash: { progressMs: 10 } } });
  expect((await run('until [ -e go ]; do sleep 0.02; done & echo ok')).survivors).not.toEqual([]);
  writeFileSync(join(root, 'go'), '');
  await until(() => leftoversOf(shell).length === 0);
  expect(leftoversOf(shell)).toEqual([]);
});

test('a sandbox that fails to end its processes replaces no result and hinders no disposal', async () => {
  const seconds = uniqueSeconds();
  const sandbox: Sandbox = {
    name: 'broken',
    timeoutMs: 1_000,
    endsWithCommand: false,
    obstacle: async () => undefined,
    launch: ({ command, env }) => ({
      file: '/bin/sh',
      arguments: ['-c', command],
      env,
      end: () => Promise.reject(new Error('it has crashed')),
    }),
  };
  const { run, shell } = shellBench({ sandbox });
  expect(await run(`echo ok; sleep ${seconds}`, { timeoutMs: 200 })).toMatchObject({ output: 'ok\n', timedOut: true });
  await run(`sleep ${seconds} & echo ok`);
  await shell.dispose();
  expect(processesWith(seconds)).toEqual([]);
});

test('the file of a leftover process keeps its limit', async () => {
  const { run, shell } = shellBench({ overrides: { bash: { progressMs: 5, maxFileBytes: 100_000 } } });
  const { outputFile } = await run('(while :; do seq 1 2000; sleep 0.01; done) & echo started');
  await until(() => readFileSync(outputFile, 'latin1').includes('bytes omitted'));
  const file = readFileSync(outputFile, 'latin1');
  expect(file).toMatch(/^started\n/);
  expect(file.length).toBeLessThan(2_000_000);
  await shell.dispose();
});

test('command lines of leftover processes are scrubbed before they are cut', async () => {
  const secret = ['ghp', 'A1b2C3d4E5f6'.repeat(3)].join('_');
  const { run, shell } = shellBench({ scrubber: createScrubber() });
  for (const offset of [170, 190, 45]) {
    const { survivors } = await run(`bash -c 'sleep 60; true' ${'x'.repeat(offset)} ${secret} & echo ok`);
    expect(survivors.length).toBeGreaterThanOrEqual(1);
    expect(JSON.stringify([survivors, leftoversOf(shell)])).not.toMatch(/ghp_|A1b2C3/);
  }
});
