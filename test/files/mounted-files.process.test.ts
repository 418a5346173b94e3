import { StoreFiles } from 'toolwright/files';
import { faultyFiles, memoryFiles } from 'toolwright/testing';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { mountFiles } from '../../src/files/mounts/mounted-files.js';
import type { FileSystem } from '../../src/index.js';
import { eachRow } from '../support/each-row.js';
import { grepQuery } from '../support/search.js';
import { read, scopeOf, write } from '../support/user-files.js';

test('the longest path wins, and the first of equal ones', async () => {
  const store = (text: string) =>
    memoryFiles({ root: '/w', files: { '/w/d/e/f': text, '/w/d/f': text, '/w/f': text } });
  const files = mountFiles(store('base'), [
    { path: '/w/d', files: store('outer') },
    { path: '/w/d/e', files: store('inner') },
    { path: '/w/d/e', files: store('late') },
  ]);
  expect([await read(files, '/w/f'), await read(files, '/w/d/f'), await read(files, '/w/d/e/f')]).toEqual([
    'base',
    'outer',
    'inner',
  ]);
});

test('without mounts the base is used', () => {
  const base = memoryFiles();
  expect(mountFiles(base, [])).toBe(base);
});

test('a mounted folder is listed at its place, and searched with the rest', async () => {
  const base = memoryFiles({ root: '/w', files: { '/w/a.md': 'a word' } });
  const files = mountFiles(base, [
    { path: '/w/notes', files: memoryFiles({ root: '/w/notes', files: { '/w/notes/b.md': 'b word' } }) },
  ]);
  expect(await files.list('/w', scopeOf())).toEqual([
    { name: 'a.md', kind: 'file' },
    { name: 'notes', kind: 'directory' },
  ]);
  const query = grepQuery({ pattern: 'word', limit: 1 });
  expect(await files.grep({ ...query, offset: 1 }, scopeOf())).toMatchObject({
    lines: ['/w/notes/b.md:1:b word'],
    truncated: false,
  });
  expect(await files.grep(query, scopeOf())).toMatchObject({
    lines: ['/w/a.md:1:a word'],
    truncated: true,
  });
  await write(files, '/w/notes/c.md', 'x');
  expect((await files.glob({ pattern: '**/*.md', maxFiles: 1 }, scopeOf())).total).toBe(3);
  expect(base.paths()).toEqual(['/w/a.md']);
});

test('the folders above a mount are listed, even if they exist nowhere else', async () => {
  const files = mountFiles(memoryFiles({ root: '/w' }), [
    { path: '/w/a/b', files: memoryFiles({ root: '/w/a/b', files: { 'x.md': 'x' } }) },
  ]);
  const listed = async (path: string) => (await files.list(path, scopeOf())).map(({ name, kind }) => [name, kind]);
  expect(await listed('/w')).toEqual([['a', 'directory']]);
  expect(await listed('/w/a')).toEqual([['b', 'directory']]);
  expect(await listed('/w/a/b')).toEqual([['x.md', 'file']]);
  expect(await files.stat('/w/a', scopeOf())).toMatchObject({ path: '/w/a', kind: 'directory' });
  expect((await files.glob({ pattern: '*/*', path: '/w/a', maxFiles: 9 }, scopeOf())).paths).toEqual(['/w/a/b/x.md']);
  await expect(files.list('/w/c', scopeOf())).rejects.toMatchObject({ code: 'file_not_found' });
});

describe('a search above mounts', () => {
  /** `/w` with a file below the mounted `/w/vm`, which the mount hides, and a second mount outside. */
  function mounted() {
    const base = memoryFiles({
      root: '/w',
      files: { 'b.txt': 'x base\n', 'src/b.txt': 'x base\nx again\n', 'vm/hidden.md': 'x hidden\n' },
    });
    const vm = memoryFiles({ root: '/w/vm', files: { 't.md': 'x one\n', 'sub/a.md': 'a\nx two\nb\n' } });
    const root = memoryFiles({
      root: '/w',
      files: { 'src/claimed.txt': 'x claimed\n', 'src/not.md': 'x no\n', 'only/claimed.txt': 'x\n' },
    });
    const outside = memoryFiles({ root: '/elsewhere', files: { 'o.md': 'x outside\n' } });
    const files = mountFiles(base, [
      { path: '/w/vm', files: vm },
      { path: '/w', files: root, claims: (name) => name.endsWith('claimed.txt') },
      { path: '/elsewhere', files: outside },
    ]);
    const dispose = async () =>
      void (await Promise.all([base, vm, root, outside].map((each) => each[Symbol.asyncDispose]())));
    return { files, base, vm, dispose };
  }

  const shared = mounted();
  afterAll(() => shared.dispose());

  const globs: readonly (readonly [pattern: string, path: string | undefined, found: readonly string[]])[] = [
    ['vm/*.md', undefined, ['/w/vm/t.md']],
    ['vm/**', undefined, ['/w/vm/sub/a.md', '/w/vm/t.md']],
    ['v*/*.md', undefined, ['/w/vm/t.md']],
    ['**/vm/**', undefined, ['/w/vm/sub/a.md', '/w/vm/t.md']],
    ['**/*.md', undefined, ['/w/vm/sub/a.md', '/w/vm/t.md']],
    ['{src,vm}/*', undefined, ['/w/src/b.txt', '/w/src/claimed.txt', '/w/vm/t.md']],
    ['*.md', undefined, []],
    ['t.md', undefined, []],
    ['!vm/**', undefined, ['/w/b.txt', '/w/only/claimed.txt', '/w/src/b.txt', '/w/src/claimed.txt']],
    ['*', '/w/src', ['/w/src/b.txt', '/w/src/claimed.txt']],
    ['*', '/w/only', ['/w/only/claimed.txt']],
    ['*', '/w/vm', ['/w/vm/t.md']],
    ['/w/vm/**/*.md', undefined, ['/w/vm/sub/a.md', '/w/vm/t.md']],
    ['/w/*/*.md', undefined, ['/w/vm/t.md']],
    ['/w/src/*', undefined, ['/w/src/b.txt', '/w/src/claimed.txt']],
    ['/elsewhere/*', undefined, ['/elsewhere/o.md']],
  ];
  test('finds files of all mounts by Glob', () =>
    eachRow(globs, async ([pattern, path, found]) => {
      const result = await shared.files.glob({ pattern, path, maxFiles: 100 }, scopeOf());
      expect([...result.paths].sort()).toEqual(found);
      expect(result.total).toBe(found.length);
    }));

  const greps: readonly (readonly [glob: string | undefined, path: string | undefined, found: readonly string[]])[] = [
    [
      undefined,
      undefined,
      ['/w/b.txt', '/w/only/claimed.txt', '/w/src/b.txt', '/w/src/claimed.txt', '/w/vm/sub/a.md', '/w/vm/t.md'],
    ],
    ['vm/**', undefined, ['/w/vm/sub/a.md', '/w/vm/t.md']],
    ['/vm/*.md', undefined, ['/w/vm/t.md']],
    ['vm/**/*.md', undefined, ['/w/vm/sub/a.md', '/w/vm/t.md']],
    ['/t.md', undefined, []],
    ['*.md', undefined, ['/w/vm/sub/a.md', '/w/vm/t.md']],
    ['!vm/**', undefined, ['/w/b.txt', '/w/only/claimed.txt', '/w/src/b.txt', '/w/src/claimed.txt']],
    ['!vm', undefined, ['/w/b.txt', '/w/only/claimed.txt', '/w/src/b.txt', '/w/src/claimed.txt']],
    [undefined, '/w/src', ['/w/src/b.txt', '/w/src/claimed.txt']],
    [undefined, '/w/only', ['/w/only/claimed.txt']],
    ['/sub/*', '/w/vm', ['/w/vm/sub/a.md']],
    [undefined, '/elsewhere', ['/elsewhere/o.md']],
  ];
  test('finds lines of all mounts by Grep, with a glob', () =>
    eachRow(greps, async ([glob, path, found]) => {
      const { files } = shared;
      const query = grepQuery({ pattern: 'x', glob, path, limit: 100 });
      const listed = await files.grep({ ...query, mode: 'files_with_matches' }, scopeOf());
      expect([...listed.lines].sort()).toEqual(found);
      const counts = await files.grep({ ...query, mode: 'count' }, scopeOf());
      expect(counts.lines.map((line) => line.replace(/:\d+$/, ''))).toEqual(found);
      const lines = await files.grep(query, scopeOf());
      expect([...new Set(lines.lines.map((line) => line.split(':')[0]))]).toEqual(found);
    }));

  test('returns the newest first across mounts', async () => {
    const files = mountFiles(dated('/w', { 'b.txt': 1, 'src/b.txt': 3, 'src/c.txt': 2 }), [
      { path: '/w/vm', files: dated('/w/vm', { 't.md': 2, 'a.md': 4 }) },
    ]);
    const newest = ['/w/vm/a.md', '/w/src/b.txt', '/w/src/c.txt', '/w/vm/t.md', '/w/b.txt'];
    expect((await files.glob({ pattern: '**', maxFiles: 5 }, scopeOf())).paths).toEqual(newest);
    const query = grepQuery({ pattern: 'x', mode: 'files_with_matches', limit: 5 });
    expect(await files.grep(query, scopeOf())).toMatchObject({ lines: newest, total: 5, truncated: false });
    expect(await files.grep({ ...query, offset: 1, limit: 2 }, scopeOf())).toMatchObject({
      lines: newest.slice(1, 3),
      truncated: true,
    });
  });

  test('returns consistent pages, with one separator between files', async () => {
    const { files } = shared;
    const query = grepQuery({ pattern: 'x', before: 1, after: 1 });
    const { lines } = await files.grep(query, scopeOf());
    expect(lines).toEqual([
      '/w/b.txt:1:x base',
      '--',
      '/w/only/claimed.txt:1:x',
      '--',
      '/w/src/b.txt:1:x base',
      '/w/src/b.txt:2:x again',
      '--',
      '/w/src/claimed.txt:1:x claimed',
      '--',
      '/w/vm/sub/a.md-1-a',
      '/w/vm/sub/a.md:2:x two',
      '/w/vm/sub/a.md-3-b',
      '--',
      '/w/vm/t.md:1:x one',
    ]);
    const pages: string[] = [];
    for (let offset = 0; offset < lines.length; offset += 4) {
      pages.push(...(await files.grep({ ...query, limit: 4, offset }, scopeOf())).lines);
    }
    expect(pages.filter((line) => line !== '--')).toEqual(lines.filter((line) => line !== '--'));
  });

  test('returns a full page even if a mount hides its first results', async () => {
    const base = memoryFiles({
      root: '/w',
      files: { 'z.txt': 'x\n', ...Object.fromEntries([1, 2, 3].map((name) => [`vm/${name}.txt`, 'x\n'])) },
    });
    const files = mountFiles(base, [
      { path: '/w/vm', files: memoryFiles({ root: '/w/vm', files: { 'a.md': 'y\n' } }) },
    ]);
    expect(await files.glob({ pattern: '**/*.txt', maxFiles: 1 }, scopeOf())).toMatchObject({
      paths: ['/w/z.txt'],
      total: 1,
    });
    for (const mode of ['content', 'count', 'files_with_matches'] as const) {
      const { lines } = await files.grep(grepQuery({ pattern: 'x', mode, limit: 1 }), scopeOf());
      expect(lines.map((line) => line.split(':')[0])).toEqual(['/w/z.txt']);
    }
  });

  test('reads the lines of a store that does not split them', async () => {
    const { base, vm, dispose } = mounted();
    onTestFinished(dispose);
    const plain = (store: FileSystem): FileSystem => ({
      ...bound(store),
      grep: async (query, scope) => ({ ...(await store.grep(query, scope)), files: undefined }),
    });
    base.set('/w/a-1-b:2:c', 'x\ny\n');
    base.set('/w/a', 'x\n');
    const files = mountFiles(plain(base), [{ path: '/w/vm', files: plain(vm) }]);
    const { lines } = await files.grep(grepQuery({ pattern: 'x', after: 1 }), scopeOf());
    expect(lines.filter((line) => line !== '--')).toEqual([
      '/w/a:1:x',
      '/w/a-1-b:2:c:1:x',
      '/w/a-1-b:2:c-2-y',
      '/w/b.txt:1:x base',
      '/w/src/b.txt:1:x base',
      '/w/src/b.txt:2:x again',
      '/w/vm/sub/a.md:2:x two',
      '/w/vm/sub/a.md-3-b',
      '/w/vm/t.md:1:x one',
    ]);
  });

  test('fails with the error of the base or a mount, not with an empty result', async () => {
    const { files, base } = shared;
    await expect(files.grep(grepQuery({ pattern: '((' }), scopeOf())).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(files.grep(grepQuery({ pattern: 'x', path: '/w/none' }), scopeOf())).rejects.toMatchObject({
      code: 'file_not_found',
    });
    await expect(files.glob({ pattern: '*', path: '/w/none', maxFiles: 1 }, scopeOf())).rejects.toMatchObject({
      code: 'file_not_found',
    });
    const broken = faultyFiles(memoryFiles({ root: '/w/vm' }), () => 'EIO');
    const unlucky = mountFiles(base, [{ path: '/w/vm', files: broken }]);
    await expect(unlucky.grep(grepQuery({ pattern: 'x' }), scopeOf())).rejects.toMatchObject({
      code: 'storage_failed',
    });
  });
});

function dated(root: string, ages: Readonly<Record<string, number>>): StoreFiles {
  return new StoreFiles({
    root,
    store: {
      read: async (name) => ({ bytes: Buffer.from('x\n'), mtimeMs: ages[name] ?? 0, version: '1' }),
      write: async () => undefined,
      remove: async () => false,
      names: async () => Object.keys(ages),
    },
  });
}

function bound(store: FileSystem): FileSystem {
  return {
    root: store.root,
    resolve: (path, scope) => store.resolve(path, scope),
    stat: (path, scope) => store.stat(path, scope),
    open: (path, scope) => store.open(path, scope),
    update: (path, change, scope) => store.update(path, change, scope),
    remove: (path, scope) => store.remove(path, scope),
    list: (path, scope) => store.list(path, scope),
    glob: (query, scope) => store.glob(query, scope),
    grep: (query, scope) => store.grep(query, scope),
  };
}
