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

test('a command starts where the last one of its session ended', async () => {
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

test('outside the roots it goes back to the root, and says so', async () => {
  const { root, run } = bench();
  const { note } = await run('cd /');
  expect(note).toBe(`[/ is outside the workspace; the next command runs in ${root}]`);
  expect((await run('pwd')).output).toBe(`${root}\n`);
  await run('ln -s / link; cd link');
  expect((await run('pwd')).output).toBe(`${root}\n`);
});

test.each<[why: string, replace: (folder: string) => void]>([
  ['is gone', () => {}],
  ['became a file', (folder) => writeFileSync(folder, '')],
  ['became a link out of the roots', (folder) => symlinkSync('/', folder)],
])('a folder that %s is an error once, not a command in the wrong place', async (_why, replace) => {
  const { root, run } = bench();
  await run('mkdir kept; cd kept');
  rmSync(join(root, 'kept'), { recursive: true });
  replace(join(root, 'kept'));
  const error = { code: 'execution_failed', message: expect.stringContaining(`The next one runs in ${root}.`) };
  await expect(run('rm -f x')).rejects.toMatchObject(error);
  expect((await run('pwd')).output).toBe(`${root}\n`);
});

test.each(['mkdir d; cd d; rmdir ../d', 'mkdir d; cd d; rm -rf "$PWD"'])(
  'a folder that the command removed is not called one outside: %s',
  async (command) => {
    const { root, run } = bench();
    await run('cd "it\'s here"');
    expect((await run(command)).note).toBe(`[${root}/it's here/d was removed; the next command runs in ${root}]`);
    expect((await run('pwd')).output).toBe(`${root}\n`);
  },
);

test('background commands start there and leave it alone; those with a directory of their own do neither', async () => {
  const { root, run } = bench();
  await run('cd "it\'s here"');
  expect((await run('pwd; cd deep', 's1', { isBackground: true })).output).toBe(`${root}/it's here\n`);
  expect((await run('pwd; mkdir other; cd other', 's1', { cwd: root })).output).toBe(`${root}\n`);
  expect((await run('pwd')).output).toBe(`${root}/it's here\n`);
});

test('nothing is left in the folder', async () => {
  const { folder, run } = bench();
  const { outputFile } = await run('cd .');
  expect(folder.path).toBe(dirname(outputFile));
  expect(readdirSync(dirname(outputFile)).filter((name) => name.startsWith('cwd'))).toEqual([]);
});

test('a command that went to the background at its time limit leaves the directory alone', async () => {
  const { root, run } = bench();
  await run('cd "it\'s here/deep"', 's1', { isAwaited: () => false });
  expect((await run('pwd')).output).toBe(`${root}\n`);
  await run('cd "it\'s here"', 's1', { isAwaited: () => true });
  expect((await run('pwd')).output).toBe(`${root}/it's here\n`);
});

test('the file it notes the directory in can be written to in a sandbox too', async () => {
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
