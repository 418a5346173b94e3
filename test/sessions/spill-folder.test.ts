import {
  closeSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { SpillFolder } from 'toolwright/tools';
import { expect, test } from 'vitest';
import { processIdentity } from '../../src/files/disk/process-identity.js';
import { temporaryFolder } from '../support/temporary-folder.js';

test('nothing is created before the first use', () => {
  const parent = temporaryFolder();
  const folder = new SpillFolder({ parent });
  expect(folder.path).toBeUndefined();
  folder.dispose();
  expect(readdirSync(parent)).toEqual([]);
});

test('the folder and its files are private, and files are appended to', () => {
  using folder = new SpillFolder({ parent: temporaryFolder() });
  const { path, fd } = folder.create('bash');
  writeSync(fd, 'a');
  writeSync(fd, 'b', 0);
  closeSync(fd);
  expect(readFileSync(path, 'utf8')).toBe('ab');
  expect(path).toBe(join(realpathSync(folder.path ?? ''), 'bash-1.txt'));
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(folder.path ?? '').mode & 0o777).toBe(0o700);
});

test('a text is saved whole in its own file', async () => {
  using folder = new SpillFolder({ parent: temporaryFolder() });
  const [first, second] = await Promise.all([folder.save('eins\n'), folder.save('zwei')]);
  expect([readFileSync(first, 'utf8'), readFileSync(second, 'utf8')]).toEqual(['eins\n', 'zwei']);
  expect(statSync(first).mode & 0o777).toBe(0o600);
});

test('dispose removes only its own files', () => {
  const parent = temporaryFolder();
  const folder = new SpillFolder({ parent });
  closeSync(folder.create('bash').fd);
  const made = folder.path ?? '';
  writeFileSync(join(made, 'of-somebody-else'), 'keep');
  folder.dispose();
  expect(readdirSync(made)).toEqual(['of-somebody-else']);
  expect(() => folder.create('bash')).toThrow(expect.objectContaining({ code: 'storage_failed' }));
});

test('a link that replaces the folder is not followed', async () => {
  const parent = temporaryFolder();
  const home = join(parent, 'home');
  mkdirSync(home);
  const folder = new SpillFolder({ parent });
  closeSync(folder.create('bash').fd);
  const made = folder.path ?? '';
  renameSync(made, `${made}.moved`);
  writeFileSync(join(home, 'bash-1.txt'), 'precious');
  symlinkSync(home, made);
  closeSync(folder.create('bash').fd);
  await folder.save('x');
  expect(readdirSync(home)).toEqual(['bash-1.txt']);
  folder.dispose();
  expect(readdirSync(`${made}.moved`)).toEqual([]);
  expect(readFileSync(join(home, 'bash-1.txt'), 'utf8')).toBe('precious');
});

test('an existing file or link with the next name is never written to', () => {
  const parent = temporaryFolder();
  using folder = new SpillFolder({ parent });
  closeSync(folder.create('bash').fd);
  writeFileSync(join(parent, 'target'), 'precious');
  symlinkSync(join(parent, 'target'), join(folder.path ?? '', 'bash-2.txt'));
  expect(() => folder.create('bash')).toThrow(expect.objectContaining({ code: 'storage_failed' }));
  expect(readFileSync(join(parent, 'target'), 'utf8')).toBe('precious');
});

test('an unusable parent folder is a storage failure that says what to do', () => {
  const folder = new SpillFolder({ parent: join(temporaryFolder(), 'missing') });
  expect(() => folder.create('bash')).toThrow(/Free some space or set TMPDIR/);
});

test('folders of ended processes are removed, with plain files only; those of running processes and others stay', () => {
  const parent = temporaryFolder();
  const ended = processIdentity().replace(/-\d+-\d+$/, '-4194305-1');
  const make = (name: string) => {
    mkdirSync(join(parent, name));
    writeFileSync(join(parent, name, 'bash-1.txt'), 'x');
    return join(parent, name);
  };
  const gone = make(`toolwright-${ended}-AbCdEf`);
  const full = make(`toolwright-${ended}-GhIjKl`);
  mkdirSync(join(full, 'folder'));
  const stay = [
    make(`toolwright-${processIdentity()}-MnOpQr`),
    make(`toolwright-0000abcd-4194305-1-StUvWx`),
    make('toolwright-notes'),
    make('other'),
  ];
  using folder = new SpillFolder({ parent });
  folder.removeAbandoned();
  expect(existsSync(gone)).toBe(false);
  expect(readdirSync(full)).toEqual(['folder']);
  for (const path of stay) expect(existsSync(join(path, 'bash-1.txt'))).toBe(true);
});
