import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { expect, test } from 'vitest';
import { walkFiles } from '../../src/files/search/walk/search-walk.js';
import { RandomSource, writeRandomTree } from '../support/random-tree.js';
import { temporaryFolder } from '../support/temporary-folder.js';

function walk(start: string): string[] {
  const paths: string[] = [];
  walkFiles({
    start,
    first: () => 'unknown',
    last: () => true,
    onFile: (path) => paths.push(path) > 0,
    onUnreadable: () => {},
  });
  return paths.sort();
}

test('visits the files that ripgrep lists, whatever the ignore rules, from any folder', () => {
  const random = new RandomSource(7);
  for (let round = 0; round < 12; round++) {
    const root = temporaryFolder();
    const folders = new Set(writeRandomTree(root, random, 40).map(({ path }) => join(root, path, '..')));
    for (const start of [root, ...[...folders].filter((folder) => !folder.includes('/.git')).slice(0, 8)]) {
      const flags = [
        '--no-config',
        '--files',
        '--null',
        '--hidden',
        '-g',
        '!.git',
        '--no-require-git',
        '--no-ignore-global',
        '--no-ignore-exclude',
      ];
      const listed = spawnSync(rgPath, [...flags, '--no-ignore-dot', start], { encoding: 'utf8' })
        .stdout.split('\0')
        .filter(Boolean)
        .sort();
      expect(walk(start)).toEqual(listed);
    }
  }
});

test('ends when it is told to', () => {
  const root = temporaryFolder();
  writeRandomTree(root, new RandomSource(1), 20);
  let visited = 0;
  walkFiles({
    start: root,
    first: () => 'unknown',
    last: () => true,
    onFile: () => ++visited < 3,
    onUnreadable: () => {},
  });
  expect(visited).toBe(3);
});
