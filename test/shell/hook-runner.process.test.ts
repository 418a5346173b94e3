import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { shellHookRunner } from '../../src/shell/run/hook-runner.js';
import { SpillFolder } from '../../src/tools.js';
import { scopeOf, shellBench } from '../support/shell.js';

/** Runs a hook in its own shell. */
async function run({ command, input }: { readonly command: string; readonly input: string }) {
  const { shell, folder } = shellBench();
  return await shellHookRunner(shell, folder)(command, input, scopeOf());
}

test('a hook command reads its input, and has separate stdout, stderr and exit code', async () => {
  const outcome = await run({ command: 'cat; echo bad >&2; exit 3', input: 'it’s $HOME' });
  expect(outcome).toEqual({ exitCode: 3, stdout: 'it’s $HOME', stderr: 'bad\n' });
});

test('a comment at the end of the line has no effect on the runner', async () => {
  expect(await run({ command: 'cat # just that', input: 'x' })).toMatchObject({
    exitCode: 0,
    stdout: 'x',
  });
});

test('no file remains, for any outcome', async () => {
  const saved: string[] = [];
  using store = new SpillFolder();
  const watching = {
    save: async (text: string) => {
      const path = await store.save(text);
      saved.push(path);
      return path;
    },
  };
  const broken = { run: () => Promise.reject(new Error('no shell')) };
  await expect(shellHookRunner(broken, watching)('true', 'secret', scopeOf())).rejects.toThrow('no shell');
  expect(saved).toHaveLength(3);
  expect(saved.filter((path) => existsSync(path))).toEqual([]);
});

const answer = '{"decision":"deny"}';

test('an answer after many lines is read whole', async () => {
  const command = `yes line | head -c 2000000; echo; echo '${answer}'`;
  const { stdout } = await run({ command, input: '' });
  expect(stdout).toHaveLength(2_000_000 + 1 + answer.length + 1);
  expect(stdout.endsWith(`\n${answer}\n`)).toBe(true);
});

test('a command that prints more than the limit fails, because the rest may contain its answer', async () => {
  const command = `yes line | head -c 16777217; echo; echo '${answer}'`;
  await expect(run({ command, input: '' })).rejects.toThrow('printed more than 16777216 bytes');
});

test('a failed command is reported with the beginning of its output', async () => {
  const command = 'yes line | head -c 16777217; echo why >&2; exit 2';
  expect(await run({ command, input: '' })).toMatchObject({
    exitCode: 2,
    stderr: 'why\n',
  });
});
