import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { shellHookRunner } from '../../src/shell/hook-runner.js';
import { SpillFolder } from '../../src/state/spill-folder.js';
import { scopeOf, shellBench } from '../support/shell.js';

test('a program reads its input, and its output, errors and exit code come apart', async () => {
  const { shell } = shellBench();
  const store = new SpillFolder();
  const outcome = await shellHookRunner(shell, store).run(
    { command: 'cat; echo bad >&2; exit 3', input: 'it’s $HOME' },
    scopeOf(),
  );
  expect(outcome).toEqual({ exitCode: 3, stdout: 'it’s $HOME', stderr: 'bad\n' });
  store.dispose();
});

test('a comment at the end of the line swallows nothing', async () => {
  const { shell } = shellBench();
  const store = new SpillFolder();
  expect(await shellHookRunner(shell, store).run({ command: 'cat # just that', input: 'x' }, scopeOf())).toMatchObject({
    exitCode: 0,
    stdout: 'x',
  });
  store.dispose();
});

test('nothing stays on the disk, whatever happens', async () => {
  const saved: string[] = [];
  const store = new SpillFolder();
  const watching = {
    save: async (text: string) => {
      const path = await store.save(text);
      saved.push(path);
      return path;
    },
  };
  const broken = { run: () => Promise.reject(new Error('no shell')) };
  await expect(shellHookRunner(broken, watching).run({ command: 'true', input: 'secret' }, scopeOf())).rejects.toThrow(
    'no shell',
  );
  expect(saved).toHaveLength(3);
  expect(saved.filter((path) => existsSync(path))).toEqual([]);
  store.dispose();
});

const answer = '{"decision":"deny"}';

test('an answer behind many lines is read whole', async () => {
  const { shell } = shellBench();
  const store = new SpillFolder();
  const command = `yes line | head -c 2000000; echo; echo '${answer}'`;
  const { stdout } = await shellHookRunner(shell, store).run({ command, input: '' }, scopeOf());
  expect(stdout).toHaveLength(2_000_000 + 1 + answer.length + 1);
  expect(stdout.endsWith(`\n${answer}\n`)).toBe(true);
  store.dispose();
});

test('a command that prints more than is read fails, for its answer may stand in the rest', async () => {
  const { shell } = shellBench();
  const store = new SpillFolder();
  const command = `yes line | head -c 16777217; echo; echo '${answer}'`;
  await expect(shellHookRunner(shell, store).run({ command, input: '' }, scopeOf())).rejects.toThrow(
    'printed more than 16777216 bytes',
  );
  store.dispose();
});

test('of a command that failed the beginning of what it printed is enough', async () => {
  const { shell } = shellBench();
  const store = new SpillFolder();
  const command = 'yes line | head -c 16777217; echo why >&2; exit 2';
  expect(await shellHookRunner(shell, store).run({ command, input: '' }, scopeOf())).toMatchObject({
    exitCode: 2,
    stderr: 'why\n',
  });
  store.dispose();
});
