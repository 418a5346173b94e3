import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bubblewrapSandbox } from '../../../src/shell/sandbox/index.js';
import { MountPlan } from '../../../src/shell/sandbox/mount-plan.js';
import { scopeOf } from '../../support/shell.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const program = {
  command: 'npm test',
  roots: ['/abs/space', '/abs/more'],
  cwd: '/abs/space/sub',
  env: { CI: '1' },
  inherited: new Set<string>(),
};

test('all is read-only except the roots, with its own namespaces and without network', () => {
  const [space, more] = [temporaryFolder(), temporaryFolder()];
  const place = { ...program, roots: [space, more], cwd: space };
  const { file, arguments: words, env } = bubblewrapSandbox().launch(place);
  const line = words.join(' ');
  expect(file).toBe('bwrap');
  expect(line).toMatch(/^--ro-bind \/ \/ --dev \/dev --proc \/proc /);
  for (const part of [
    '--tmpfs /tmp ',
    '--tmpfs /run ',
    '--tmpfs /var/tmp ',
    '--unshare-pid',
    '--unshare-net',
    '--die-with-parent',
    '--new-session',
    '--cap-drop ALL',
    `--bind ${space} ${space} `,
    `--bind ${more} ${more} `,
    `--chdir ${space} --`,
  ]) {
    expect(line).toContain(part);
  }
  expect(words.at(-1)).toBe('npm test');
  expect(env).toEqual({ CI: '1' });
});

test('a missing folder is created only where bubblewrap can create it', () => {
  const folder = temporaryFolder();
  const plan = new MountPlan();
  for (const [name, view] of [
    ['read', 'read'],
    ['empty', 'empty'],
  ] as const) {
    mkdirSync(join(folder, name));
    plan.show(join(folder, name), view);
    plan.show(join(folder, name, 'missing'), 'scratch');
  }
  const line = plan.arguments().join(' ');
  expect(line).toContain(`--tmpfs ${folder}/empty/missing`);
  expect(line).not.toContain(`${folder}/read/missing`);
});

test('network, more folders and hidden paths are options', () => {
  const [folder, cache] = [temporaryFolder(), temporaryFolder()];
  mkdirSync(join(folder, 'keys'));
  writeFileSync(join(folder, 'key'), '');
  symlinkSync('keys', join(folder, 'linked'));
  const options = {
    network: true,
    writable: [cache],
    hide: [join(folder, 'linked'), join(folder, 'key'), join(folder, 'none')],
  };
  const words = bubblewrapSandbox(options).launch({ ...program, roots: [folder] }).arguments;
  const line = words.join(' ');
  expect(line).not.toContain('--unshare-net');
  expect(line).toContain(`--bind ${cache} ${cache} `);
  expect(line).toContain(`--ro-bind /dev/null ${folder}/key --tmpfs ${folder}/keys `);
  expect(line).toContain(`--remount-ro ${folder}/keys `);
  expect(words).not.toContain(join(folder, 'linked'));
});

test('another writable file is mounted, and the password file of the system is not', () => {
  const file = join(temporaryFolder(), 'cwd-1.txt');
  writeFileSync(file, '');
  const line = bubblewrapSandbox()
    .launch({ ...program, files: [file] })
    .arguments.join(' ');
  expect(line).toContain('--tmpfs /tmp ');
  expect(line).toContain(` --bind ${file} ${file} `);
  expect(line.includes('--ro-bind /dev/null /etc/shadow ')).toBe(existsSync('/etc/shadow'));
});

test('a problem with the mounts of a command is an obstacle', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'bwrap');
  writeFileSync(file, '#!/bin/sh\ncase "$*" in *"--tmpfs /home "*) echo "no mount" >&2; exit 1;; esac\n');
  chmodSync(file, 0o755);
  expect(await bubblewrapSandbox({ file }).obstacle(scopeOf())).toBe('no mount');
});

test('a missing or broken program is an obstacle, with its own message', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'bwrap');
  expect(await bubblewrapSandbox({ file }).obstacle(scopeOf())).toBe(`${file} is not installed`);
  writeFileSync(file, '#!/bin/sh\necho "bwrap: no permissions" >&2\nexit 1\n');
  chmodSync(file, 0o755);
  expect(await bubblewrapSandbox({ file }).obstacle(scopeOf())).toBe('bwrap: no permissions');
  writeFileSync(file, '#!/bin/sh\nexit 0\n');
  expect(await bubblewrapSandbox({ file }).obstacle(scopeOf())).toBeUndefined();
});
