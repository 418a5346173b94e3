import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Shell, ShellRequest } from '../../src/index.js';
import { rememberDirectories } from '../../src/shell/run/session-directories.js';
import { scopeOf, shellBench } from '../support/shell.js';

function bench() {
  const { shell, folder, root } = shellBench();
  const kept = rememberDirectories(shell, { folder, roots: [root] });
  mkdirSync(join(root, "it's here/deep"), { recursive: true });
  const run = (command: string, sessionId = 's1', request = {}) =>
    kept.run({ command, ...request }, scopeOf(undefined, sessionId));
  return { root, folder, run };
}

test('a command starts in the folder where the previous one of its session ended', async () => {
  const { root, run } = bench();
  await run('cd "it\'s here"');
  expect((await run('pwd')).output).toBe(`${root}/it's here\n`);
  await run('cd deep && exit 3');
  expect((await run('pwd')).output).toBe(`${root}/it's here/deep\n`);
  expect((await run('pwd', 's2')).output).toBe(`${root}\n`);
});

test('exit codes, signals and output are those of the command', async () => {
  const { run } = bench();
  expect(await run('echo a; exit 7')).toMatchObject({ exitCode: 7, output: 'a\n' });
  expect(await run('kill -KILL $$')).toMatchObject({ signal: 'SIGKILL' });
  expect(await run('cat <<E\nx\nE')).toMatchObject({ exitCode: 0, output: 'x\n' });
  expect(await run('trap "echo own" EXIT; cd deep')).toMatchObject({ output: expect.stringContaining('own') });
});

test('outside the roots the session returns to the root, and the result says so', async () => {
  const { root, run } = bench();
  const { note } = await run('cd /');
  expect(note).toBe(`[/ is outside the workspace; the next command runs in ${root}]`);
  expect((await run('pwd')).output).toBe(`${root}\n`);
  await run('ln -s / link; cd link');
  expect((await run('pwd')).output).toBe(`${root}\n`);
});

test('a note about the folder does not replace a note of the shell', async () => {
  const { shell, folder, root } = shellBench();
  const noting: Shell = { run: async (...call) => ({ ...(await shell.run(...call)), note: '[ran elsewhere]' }) };
  const kept = rememberDirectories(noting, { folder, roots: [root] });
  const { note } = await kept.run({ command: 'cd /' }, scopeOf());
  expect(note).toBe(`[ran elsewhere]\n[/ is outside the workspace; the next command runs in ${root}]`);
});

test.each<[why: string, replace: (folder: string) => void]>([
  ['is gone', () => {}],
  ['became a file', (folder) => writeFileSync(folder, '')],
  ['became a link out of the roots', (folder) => symlinkSync('/', folder)],
])('a folder that %s gives one error, and no command runs in a wrong folder', async (_why, replace) => {
  const { root, run } = bench();
  await run('mkdir kept; cd kept');
  rmSync(join(root, 'kept'), { recursive: true });
  replace(join(root, 'kept'));
  const error = { code: 'execution_failed', message: expect.stringContaining(`The next command runs in ${root}.`) };
  await expect(run('rm -f x')).rejects.toMatchObject(error);
  expect((await run('pwd')).output).toBe(`${root}\n`);
});

test.each(['mkdir d; cd d; rmdir ../d', 'mkdir d; cd d; rm -rf "$PWD"'])(
  'a folder that the command removed is not reported as outside: %s',
  async (command) => {
    const { root, run } = bench();
    await run('cd "it\'s here"');
    expect((await run(command)).note).toBe(`[${root}/it's here/d was removed; the next command runs in ${root}]`);
    expect((await run('pwd')).output).toBe(`${root}\n`);
  },
);

test('background commands start in the folder and do not change it; those with their own directory do neither', async () => {
  const { root, run } = bench();
  await run('cd "it\'s here"');
  expect((await run('pwd; cd deep', 's1', { isBackground: true })).output).toBe(`${root}/it's here\n`);
  expect((await run('pwd; mkdir other; cd other', 's1', { cwd: root })).output).toBe(`${root}\n`);
  expect((await run('pwd')).output).toBe(`${root}/it's here\n`);
});

test('no file remains in the folder', async () => {
  const { folder, run } = bench();
  const { outputFile } = await run('cd .');
  expect(folder.path).toBe(dirname(outputFile));
  expect(readdirSync(dirname(outputFile)).filter((name) => name.startsWith('cwd'))).toEqual([]);
});

test('a command moved to the background at its time limit does not change the directory', async () => {
  const { root, run } = bench();
  await run('cd "it\'s here/deep"', 's1', { isAwaited: () => false });
  expect((await run('pwd')).output).toBe(`${root}\n`);
  await run('cd "it\'s here"', 's1', { isAwaited: () => true });
  expect((await run('pwd')).output).toBe(`${root}/it's here\n`);
});

test('the file that records the directory is writable in a sandbox too', async () => {
  const { root, folder } = bench();
  const asked: ShellRequest[] = [];
  const { shell } = shellBench();
  const noted: Shell = {
    run: (request, scope) => {
      asked.push(request);
      return shell.run({ command: 'true' }, scope);
    },
  };
  await rememberDirectories(noted, { folder, roots: [root] }).run({ command: 'cd x' }, scopeOf());
  expect(asked[0]?.files).toHaveLength(1);
  expect(asked[0]?.command).toContain(asked[0]?.files?.[0]);
});
