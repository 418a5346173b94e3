import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createToolkit } from 'toolwright';
import { commandBackend } from 'toolwright/remote';
import { callTool, fileSystemConformance, shellConformance } from 'toolwright/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { newScope } from '../../src/conformance/kit.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** A second root, reached by a shell without an environment, like a remote one. */
function backend() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-test-')));
  const run = (line: string) => ['env', '-i', `PATH=${process.env.PATH}`, 'sh', '-c', line];
  const made = commandBackend({ run, root });
  return {
    ...made,
    root,
    async dispose() {
      await made[Symbol.asyncDispose]();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Such a root for one test. */
function here() {
  const made = backend();
  onTestFinished(made.dispose);
  return made;
}

describe('files of a remote backend', () => {
  test.each(fileSystemConformance)('$name', ({ run }) => run(backend));
});

describe('a shell of a remote backend', () => {
  test.each(shellConformance)('$name', ({ run }) => run(backend));
});

test('a toolkit works there', async () => {
  const { files, shell, root } = here();
  await using toolkit = createToolkit({ root, hosts: { files, shell }, permissions: 'bypassPermissions' });
  await callTool(toolkit, 'Write', { file_path: `${root}/a b/it's.txt`, content: 'one\ntwo\n' });
  await callTool(toolkit, 'Edit', { file_path: `${root}/a b/it's.txt`, old_string: 'two', new_string: '2' });
  expect((await callTool(toolkit, 'Bash', { command: `cat "a b/it's.txt"` })).output).toContain('one\n2');
  expect((await callTool(toolkit, 'Grep', { pattern: '2' })).output).toContain("it's.txt");
});

test('a link there is not followed', async () => {
  const { files, root } = here();
  const outside = temporaryFolder();
  writeFileSync(join(outside, 'secret'), 'x');
  mkdirSync(join(root, 'in'));
  symlinkSync(outside, join(root, 'in/out'));
  symlinkSync(join(outside, 'secret'), join(root, 'in/secret'));
  const scope = newScope();
  const refused = { code: 'path_outside_root' };
  mkdirSync(join(root, 'in/here'));
  symlinkSync(outside, join(root, 'in/here\n'));
  for (const name of ['in/secret', 'in/out/secret', 'in/here\n/secret']) {
    await expect(files.open(`${root}/${name}`, scope)).rejects.toMatchObject(refused);
    await expect(files.update(`${root}/${name}`, () => ({ slices: [] }), scope)).rejects.toMatchObject(refused);
    await expect(files.remove(`${root}/${name}`, scope)).rejects.toMatchObject(refused);
  }
  await expect(files.update(`${root}/in/out/new/file`, () => ({ slices: [] }), scope)).rejects.toMatchObject(refused);
});

test('names may contain any characters', async () => {
  const { files, root } = here();
  for (const name of ['-n', "a'b", 'a"b', 'a\nb', '$(id)', '`id`', '\\', '*', ' b', 'x\n', 'd\n/f', '-/--']) {
    const bytes = Buffer.from(name);
    await files.update(`${root}/${name}`, () => ({ slices: [bytes] }), newScope());
    expect(readFileSync(join(root, name), 'utf8')).toBe(name);
  }
});

test('a file cannot be written in the place of an empty folder', async () => {
  const { files, root } = here();
  mkdirSync(join(root, 'empty'));
  const written = files.update(`${root}/empty`, () => ({ slices: [Buffer.from('x')] }), newScope());
  await expect(written).rejects.toMatchObject({ code: 'not_a_file' });
  expect(readdirSync(join(root, 'empty'))).toEqual([]);
});

test('Glob reads no content, and folders that `find` cannot read are left out', async () => {
  const root = temporaryFolder();
  for (let index = 0; index < 20; index++) writeFileSync(join(root, `${index}\n.txt`), 'x');
  utimesSync(join(root, '7\n.txt'), 1e9, 2e9);
  const lines: string[] = [];
  // This `find` ends like one that has met an unreadable folder.
  const find = 'find() { command find "$@" && case "$*" in *-type*) return 1 ;; esac; }';
  const run = (line: string) => {
    lines.push(line);
    return ['sh', '-c', `${find}\n${line}`];
  };
  await using made = commandBackend({ run, root });
  const found = await made.files.glob({ pattern: '*.txt', maxFiles: 1 }, newScope());
  expect(found).toMatchObject({ paths: [join(root, '7\n.txt')], total: 20 });
  expect(lines.length).toBeLessThan(5);
});

test('text printed by a login is not output of the command', async () => {
  const { root } = here();
  await using chatty = commandBackend({ root, run: (line) => ['sh', '-c', `echo Welcome; ${line}`] });
  const outcome = await chatty.shell.run({ command: 'echo hi; exit 3' }, newScope());
  expect(outcome).toMatchObject({ exitCode: 3, output: 'hi\n' });
});

test('a program that cannot be started is reported', async () => {
  await using nowhere = commandBackend({ run: (line) => ['/no/such/program', line], root: '/w' });
  await expect(nowhere.files.stat('/w/a', newScope())).rejects.toMatchObject({ code: 'storage_failed' });
  await expect(nowhere.shell.run({ command: 'true' }, newScope())).rejects.toMatchObject({ code: 'execution_failed' });
  expect(() => commandBackend({ run: () => [], root: 'w' })).toThrow(TypeError);
});
