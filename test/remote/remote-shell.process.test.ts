import { readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { commandBackend } from 'toolwright/remote';
import { describe, expect, test } from 'vitest';
import { defaultLimits } from '../../src/core/limits.js';
import type { RemoteRun } from '../../src/remote/index.js';
import { processesWith, scopeOf, uniqueSeconds } from '../support/shell.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const here: RemoteRun = (line) => ['sh', '-c', line];

/**
 * A program like `docker exec`: the line leads a session, and the program leaves soon after the line has ended. The
 * delay is part of what it imitates.
 */
const leaving: RemoteRun = (line) => [
  process.execPath,
  '-e',
  `const child = require('node:child_process').spawn('sh', ['-c', process.argv[1]], { detached: true });
   child.stdout.pipe(process.stdout);
   child.on('exit', (code) => setTimeout(() => process.exit(code), 300));`,
  line,
];

const backend = (run: RemoteRun, timeoutMs = 60_000, root = temporaryFolder()) =>
  commandBackend({ run, root, limits: { ...defaultLimits, bash: { ...defaultLimits.bash, timeoutMs } } });

test('a command has its outcome also if the program leaves with the line', async () => {
  await using made = backend(leaving);
  const outcome = await made.shell.run({ command: 'echo begin; sleep 1; echo end; exit 3' }, scopeOf());
  expect(outcome).toMatchObject({ exitCode: 3, output: 'begin\nend\n' });
  expect(outcome.note).toBeUndefined();
});

describe('a program that ends before the command', () => {
  test.each([
    ['with a complaint', 'echo "box: Permission denied" >&2; exit 255', 255, 'box: Permission denied\n'],
    ['without a complaint', 'exit 0', undefined, ''],
  ])('%s is reported', async (_, line, exitCode, output) => {
    await using made = backend(() => ['sh', '-c', line]);
    const outcome = await made.shell.run({ command: 'true' }, scopeOf());
    expect(outcome).toMatchObject({ exitCode, output, note: expect.stringContaining('did not report') });
  });
});

test('of a login without an end, only the end is kept', async () => {
  await using made = backend(() => ['sh', '-c', 'yes noise | head -c 20000000; echo last; exit 1']);
  const { output, outputFile } = await made.shell.run({ command: 'true' }, scopeOf());
  expect(output.endsWith('last\n')).toBe(true);
  expect(readFileSync(outputFile, 'utf8').length).toBeLessThanOrEqual(defaultLimits.output.maxChars);
});

test('the file has every character of a long output', async () => {
  await using made = backend(here);
  // An even number of characters is held back at the pause, so the file would end within a surrogate pair.
  const text = `${'😀'.repeat(300)}x`;
  const { outputFile } = await made.shell.run({ command: `printf ${text}; sleep 0.3; printf ${text}` }, scopeOf());
  expect(readFileSync(outputFile, 'utf8')).toBe(text + text);
});

test('a command in a missing folder fails and leaves nothing behind', async () => {
  await using made = backend(here, 60_000, '/no/such/folder');
  const outcome = await made.shell.run({ command: 'true' }, scopeOf());
  expect(outcome.exitCode).toBeGreaterThan(0);
  expect(outcome.output).toContain('/no/such/folder');
  expect(outcome.note).toBeUndefined();
});

test('a command whose output cannot be stored is stopped', async () => {
  await using made = backend(here);
  const { outputFile } = await made.shell.run({ command: 'true' }, scopeOf());
  rmSync(dirname(outputFile), { recursive: true });
  const seconds = uniqueSeconds();
  const running = made.shell.run({ command: `seq 1000; sleep ${seconds}` }, scopeOf());
  await expect(running).rejects.toMatchObject({ code: 'storage_failed' });
  // The kernel removes a killed process a moment later.
  await until(() => processesWith(`sleep ${seconds}`).length === 0);
});

test('the disposal ends running commands', async () => {
  const made = backend(here);
  const seconds = uniqueSeconds();
  let shown = '';
  const onOutput = (tail: string) => {
    shown = tail;
  };
  const running = made.shell.run({ command: `printf '\\033[31mbegun'; sleep ${seconds}`, onOutput }, scopeOf());
  const failed = expect(running).rejects.toMatchObject({ code: 'interrupted', partialOutput: 'begun' });
  await until(() => shown.includes('begun') && processesWith(`sleep ${seconds}`).length > 0);
  await made[Symbol.asyncDispose]();
  await failed;
  // The kernel removes a killed process a moment later.
  await until(() => processesWith(`sleep ${seconds}`).length === 0);
});

test('an abort by a deadline is a timeout', async () => {
  await using made = backend(here);
  const running = made.shell.run({ command: 'sleep 30' }, scopeOf(AbortSignal.timeout(300)));
  await expect(running).rejects.toMatchObject({ code: 'timeout' });
});

test('the time limit 0 is no limit', async () => {
  await using made = backend(here, 0);
  const outcome = await made.shell.run({ command: 'sleep 0.2; echo hi' }, scopeOf());
  expect(outcome).toMatchObject({ timedOut: false, output: 'hi\n' });
  expect(readFileSync(outcome.outputFile, 'utf8')).toBe('hi\n');
});
