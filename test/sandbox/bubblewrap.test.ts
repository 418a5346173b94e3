import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bubblewrapSandbox } from '../../src/sandbox/bubblewrap.js';
import { scopeOf } from '../support/shell.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const program = {
  command: 'npm test',
  roots: ['/abs/space', '/abs/more'],
  cwd: '/abs/space/sub',
  env: { CI: '1' },
  inherited: new Set<string>(),
};

test('everything is read-only but the roots, with namespaces of its own and no network', () => {
  const { file, arguments: words, env } = bubblewrapSandbox().launch(program);
  const line = words.join(' ');
  expect(file).toBe('bwrap');
  expect(line).toMatch(/^--ro-bind \/ \/ --dev \/dev --proc \/proc --tmpfs \/tmp --tmpfs \/run /);
  for (const part of [
    '--unshare-pid',
    '--unshare-net',
    '--die-with-parent',
    '--new-session',
    '--cap-drop ALL',
    '--bind /abs/space /abs/space --bind /abs/more /abs/more',
    '--chdir /abs/space/sub --',
  ]) {
    expect(line).toContain(part);
  }
  expect(words.at(-1)).toBe('npm test');
  expect(env).toEqual({ CI: '1' });
});

test('network, more folders and hidden places are options', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'keys'));
  writeFileSync(join(folder, 'key'), '');
  const options = {
    network: true,
    writable: ['/cache'],
    hide: [join(folder, 'keys'), join(folder, 'key'), join(folder, 'none')],
  };
  const line = bubblewrapSandbox(options).launch(program).arguments.join(' ');
  expect(line).not.toContain('--unshare-net');
  expect(line).toContain('--bind /cache /cache');
  expect(line).toContain(
    `--tmpfs ${folder}/keys --remount-ro ${folder}/keys --ro-bind /dev/null ${folder}/key --chdir`,
  );
});

test('a file that the command may write to besides is there, and the password file of the system is not', () => {
  const line = bubblewrapSandbox()
    .launch({ ...program, files: ['/tmp/private/cwd-1.txt'] })
    .arguments.join(' ');
  expect(line).toContain('--tmpfs /tmp ');
  expect(line).toContain(' --bind /tmp/private/cwd-1.txt /tmp/private/cwd-1.txt ');
  expect(line.includes('--ro-bind /dev/null /etc/shadow ')).toBe(existsSync('/etc/shadow'));
});

test('a program that is missing or does not work is an obstacle, in its own words', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'bwrap');
  expect(await bubblewrapSandbox({ file }).obstacle(scopeOf())).toBe(`${file} is not installed`);
  writeFileSync(file, '#!/bin/sh\necho "bwrap: no permissions" >&2\nexit 1\n');
  chmodSync(file, 0o755);
  expect(await bubblewrapSandbox({ file }).obstacle(scopeOf())).toBe('bwrap: no permissions');
  writeFileSync(file, '#!/bin/sh\nexit 0\n');
  expect(await bubblewrapSandbox({ file }).obstacle(scopeOf())).toBeUndefined();
});
