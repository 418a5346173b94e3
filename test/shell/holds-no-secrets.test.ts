import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { holdsNoSecrets } from '../../src/shell/run/folder-secrets.js';
import { eachRow } from '../support/each-row.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let root = '';
beforeEach(() => {
  root = temporaryFolder();
  for (const folder of ['src/deep', 'conf', 'linked', 'repository/.git', 'private/.git', 'modules/.git/modules/x'])
    mkdirSync(join(root, folder), { recursive: true });
  for (const file of ['src/a.ts', 'src/deep/token.ts', 'conf/a.txt', 'conf/server.key', 'plain.txt']) {
    writeFileSync(join(root, file), '');
  }
  const remote = (url: string) =>
    `[core]\n\tbare = false\n[remote "origin"]\n\turl = ${url}\n\tfetch = +refs/heads/*:refs/x/*\n`;
  writeFileSync(join(root, 'repository/.git/config'), remote('git@h.org:a/b.git'));
  writeFileSync(join(root, 'private/.git/config'), remote('https://me:pass@h.org/a/b.git'));
  writeFileSync(join(root, 'modules/.git/modules/x/config'), remote('https://me@h.org/b.git'));
  symlinkSync('/', join(root, 'linked', 'everything'));
});

const rows = [
  ['src', true],
  ['./src/', true],
  ['src/deep', true],
  ['src/*.ts', true],
  ['src/{a,b}.ts', true],
  ['plain.txt', true],
  ['.', false],
  ['*', false],
  ['conf', false],
  ['conf/*', false],
  ['conf/server.key', false],
  ['*/a.txt', false],
  ['linked', false],
  ['linked/everything', false],
  ['repository', true],
  ['repository/.git/config', true],
  ['private', false],
  ['private/.git/config', false],
  ['modules', false],
  ['nothing', false],
  ['~', false],
  ['src/../conf', false],
] as const;
test('recognises paths that may contain secrets', () =>
  eachRow(rows, ([path, expected]) => expect(holdsNoSecrets(path, root, 100)).toBe(expected)));

test('the state of a folder with too many names is unknown', () => {
  for (let index = 0; index < 20; index++) writeFileSync(join(root, 'src', `${index}.ts`), '');
  expect([holdsNoSecrets('src', root, 100), holdsNoSecrets('src', root, 10)]).toEqual([true, false]);
});
