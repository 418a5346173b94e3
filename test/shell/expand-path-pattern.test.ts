import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { matchedPaths } from '../../src/shell/run/paths-on-disk.js';
import { eachRow } from '../support/each-row.js';
import { temporaryFolder } from '../support/temporary-folder.js';

function folder(): string {
  const root = realpathSync(temporaryFolder());
  for (const path of ['a/b', 'c']) mkdirSync(join(root, path), { recursive: true });
  for (const path of ['x.txt', '.hidden', 'a/y.txt', 'a/b/z.txt', 'c/[id]']) writeFileSync(join(root, path), '');
  const links = { link: 'a', 'to.txt': '.hidden', again: 'to.txt', nowhere: 'gone', around: 'around', up: '.' };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, name));
  return root;
}

const rows: readonly [string, readonly string[]][] = [
  ['*.txt', ['x.txt', '.hidden']],
  ['?.txt', ['x.txt']],
  ['ag*', ['.hidden']],
  ['.h*', ['.hidden']],
  ['l*/y.txt', ['a/y.txt']],
  ['link/*', ['a/b', 'a/y.txt']],
  ['*/b/*', ['a/b/z.txt']],
  ['l?nk', ['a']],
  ['up/up/x.*', ['x.txt']],
  ['c/[id]', ['c/[id]']],
  ['[x]*/.', ['x.txt']],
  ['x.txt/*', []],
  ['none*', []],
  ['nowh*', []],
  ['aro*', []],
];
test('a pattern means the matching files', () =>
  eachRow(rows, ([pattern, expected]) => {
    const root = folder();
    expect([...(matchedPaths(join(root, pattern), 100) ?? [])].sort()).toEqual(
      expected.map((path) => join(root, path)).sort(),
    );
  }));

test('the expansion stops after a number of disk accesses', () => {
  const root = folder();
  for (let index = 0; index < 30; index++) mkdirSync(join(root, `many/${index}`), { recursive: true });
  expect(matchedPaths(join(root, 'many/*/x*'), 20)).toBeUndefined();
  expect(matchedPaths(join(root, 'many/*'), 20)).toHaveLength(30);
});
