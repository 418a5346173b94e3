import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandBackend } from '../../src/remote/command-backend.js';
import { callTool } from '../../src/testing/call-tool.js';
import { newScope } from '../../src/testing/conformance/conformance-case.js';
import { fileSystemConformance } from '../../src/testing/conformance/file-system-conformance.js';
import { shellConformance } from '../../src/testing/conformance/shell-conformance.js';
import { createToolkit } from '../../src/wiring/create-toolkit.js';

/** A second root, reached by a shell without an environment, as by a connection. */
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

describe('files elsewhere', () => {
  test.each(fileSystemConformance)('$name', ({ run }) => run(backend));
});

describe('a shell elsewhere', () => {
  test.each(shellConformance)('$name', ({ run }) => run(backend));
});

test('a toolkit works there', async () => {
  const { files, shell, root, dispose } = backend();
  const toolkit = createToolkit({ root, hosts: { files, shell }, permissions: 'bypassPermissions' });
  try {
    await callTool(toolkit, 'Write', { file_path: `${root}/a b/it's.txt`, content: 'one\ntwo\n' });
    await callTool(toolkit, 'Edit', { file_path: `${root}/a b/it's.txt`, old_string: 'two', new_string: '2' });
    expect((await callTool(toolkit, 'Bash', { command: `cat "a b/it's.txt"` })).output).toContain('one\n2');
    expect((await callTool(toolkit, 'Grep', { pattern: '2' })).output).toContain("it's.txt");
  } finally {
    await toolkit.dispose();
    await dispose();
  }
});

test('a link there leads nowhere', async () => {
  const { files, root, dispose } = backend();
  const outside = mkdtempSync(join(tmpdir(), 'toolwright-test-'));
  try {
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
  } finally {
    await dispose();
    rmSync(outside, { recursive: true });
  }
});

test('names may hold anything', async () => {
  const { files, root, dispose } = backend();
  try {
    for (const name of ['-n', "a'b", 'a"b', 'a\nb', '$(id)', '`id`', '\\', '*', ' b', 'x\n', 'd\n/f', '-/--']) {
      const bytes = Buffer.from(name);
      await files.update(`${root}/${name}`, () => ({ slices: [bytes] }), newScope());
      expect(readFileSync(join(root, name), 'utf8')).toBe(name);
    }
  } finally {
    await dispose();
  }
});

test('what a login prints is not taken for output of the command', async () => {
  const { root, dispose } = backend();
  const chatty = commandBackend({ root, run: (line) => ['sh', '-c', `echo Welcome; ${line}`] });
  try {
    const outcome = await chatty.shell.run({ command: 'echo hi; exit 3' }, newScope());
    expect(outcome).toMatchObject({ exitCode: 3, output: 'hi\n' });
  } finally {
    await chatty[Symbol.asyncDispose]();
    await dispose();
  }
});

test('a program that cannot be started is told', async () => {
  const { files, shell, ...rest } = commandBackend({ run: (line) => ['/no/such/program', line], root: '/w' });
  try {
    await expect(files.stat('/w/a', newScope())).rejects.toMatchObject({ code: 'storage_failed' });
    await expect(shell.run({ command: 'true' }, newScope())).rejects.toMatchObject({ code: 'execution_failed' });
  } finally {
    await rest[Symbol.asyncDispose]();
  }
  expect(() => commandBackend({ run: () => [], root: 'w' })).toThrow(TypeError);
});
