import { spawnSync } from 'node:child_process';
import fs, { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { expect, onTestFinished, test } from 'vitest';
import { diskFolders } from '../../src/files/search/walk/folder-source.js';
import { walkFiles } from '../../src/files/search/walk/walk.js';
import { RandomSource, writeRandomTree } from '../support/random-tree.js';
import { searchedFolder } from '../support/search.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const excluded = ['*.md', 'src/', '/*.json', 'a b', '*.ts', '!index.ts'];
const flags = [
  ...['--no-config', '--files', '--null', '--hidden', '-g', '!.git'],
  ...['--no-ignore-global', '--no-ignore-dot'],
];

function walk(start: string): string[] {
  const found = walkFiles({
    folders: diskFolders([start]),
    start,
    first: () => 'unknown',
    last: () => true,
    onUnreadable: () => {},
  });
  return [...found].filter((path) => path !== undefined).sort();
}

test('visits the files that ripgrep lists for any ignore rules and any folder, and so does Glob', async () => {
  const random = new RandomSource(7);
  for (let round = 0; round < 12; round++) {
    const folder = searchedFolder({});
    const { root } = folder;
    const files = writeRandomTree(root, random, 40);
    const folders = [...new Set(files.map(({ path }) => join(root, path, '..')))];
    for (const top of [root, random.pick(folders), random.pick(folders)]) {
      const repository = join(top, '.git/info');
      mkdirSync(repository, { recursive: true });
      writeFileSync(join(repository, 'exclude'), random.list(3, () => random.pick(excluded)).join('\n'));
    }
    for (const start of [root, ...folders.filter((path) => !path.includes('/.git')).slice(0, 8)]) {
      const listed = spawnSync(rgPath, [...flags, start], { encoding: 'utf8' })
        .stdout.split('\0')
        .filter(Boolean)
        .sort();
      expect(walk(start)).toEqual(listed);
      expect([...(await folder.glob('**', { path: start })).paths].sort()).toEqual(listed);
    }
  }
});

test.each(['pipe', 'endless device', 'folder'])('is not blocked by a %s named .gitignore', (kind) => {
  const root = temporaryFolder();
  const ignored = join(root, '.gitignore');
  if (kind === 'pipe') spawnSync('mkfifo', [ignored]);
  else if (kind === 'folder') mkdirSync(ignored);
  else symlinkSync('/dev/zero', ignored);
  writeFileSync(join(root, 'a.txt'), '');
  expect(walk(root)).toContain(join(root, 'a.txt'));
});

test.each(['EMFILE', 'ENFILE', 'ESTALE', 'EACCES'])('a folder that fails with %s is reported', async (code) => {
  const folder = searchedFolder({ 'a.txt': 'foo', 'b/c.txt': 'foo' }, { ripgrep: false });
  const { readdirSync } = fs;
  const failing = (path: string, options: { withFileTypes: true }) => {
    if (path === folder.at('b')) throw Object.assign(new Error(code), { code });
    return readdirSync(path, options);
  };
  Object.assign(fs, { readdirSync: failing });
  syncBuiltinESMExports();
  onTestFinished(() => {
    Object.assign(fs, { readdirSync });
    syncBuiltinESMExports();
  });
  expect(await folder.glob('**')).toMatchObject({ paths: [folder.at('a.txt')], unreadable: 1 });
  expect(await folder.grep({ pattern: 'foo' })).toMatchObject({ total: 1, unreadable: 1 });
});

test.each(['.gitignore', '.git/info/exclude'])(
  'a %s that cannot be read has no rules, and is reported',
  async (file) => {
    const folder = searchedFolder({ '.git/info/a': '', 'a.txt': 'foo', 'b/c.txt': 'foo' }, { ripgrep: false });
    // Opening a link to itself fails for every user.
    symlinkSync(folder.at(file), folder.at(file));
    const paths = [folder.at('a.txt'), folder.at('b/c.txt')];
    expect(await folder.glob('**/*.txt')).toMatchObject({ paths: expect.arrayContaining(paths), unreadable: 1 });
    expect(await folder.glob('b/*.txt')).toMatchObject({ total: 1, unreadable: 1 });
    expect(await folder.grep({ pattern: 'foo' })).toMatchObject({ total: 2, unreadable: 1 });
  },
);
