import { expect, test } from 'vitest';
import { keepReopenedOutput } from '../../src/shell/output/files.js';
import { eachRow } from '../support/each-row.js';
import { shellBench } from '../support/shell.js';

test('a command that reopens no output is unchanged', () =>
  eachRow(['true', 'echo a >&2', 'cat /dev/null', 'ls /dev'], (command) =>
    expect(keepReopenedOutput(command)).toBe(command),
  ));

test.each([
  ['echo a; echo b >/dev/stderr; echo c', 'a\nb\nc\n'],
  ['echo a; echo b | tee /dev/stdout', 'a\nb\nb\n'],
  ['echo a; echo b >/dev/fd/2; echo c >/proc/self/fd/1', 'a\nb\nc\n'],
  ['echo a >/dev/stderr; sleep 0.02 & wait; echo b', 'a\nb\n'],
  ['cat <<E >/dev/stdout\nx\nE', 'x\n'],
])('%s loses nothing and ends', async (command, output) => {
  const { run } = shellBench();
  expect(await run(command, { timeoutMs: 5_000 })).toMatchObject({
    output,
    exitCode: 0,
    survivors: [],
    timedOut: false,
  });
});

test('the exit code stays, and a long output is complete', async () => {
  const { run } = shellBench();
  const outcome = await run('seq 1 3000 >/dev/stdout; exit 4');
  expect(outcome.exitCode).toBe(4);
  expect(outcome.output).toMatch(/^1\n2\n[\s\S]*\n3000\n$/);
});
