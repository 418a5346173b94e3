import { expect, test } from 'vitest';
import { mountFiles } from '../../src/files/mounted-files.js';
import { memoryFiles } from '../../src/testing/memory-files.js';
import { read, scopeOf, write } from '../support/user-files.js';

test('the longest path wins, and the first of equals', async () => {
  const store = (text: string) => memoryFiles({ root: '/w', files: { '/w/d/e/f': text, '/w/d/f': text, '/w/f': text } });
  const files = mountFiles(store('base'), [
    { path: '/w/d', files: store('outer') },
    { path: '/w/d/e', files: store('inner') },
    { path: '/w/d/e', files: store('late') },
  ]);
  expect([await read(files, '/w/f'), await read(files, '/w/d/f'), await read(files, '/w/d/e/f')]).toEqual(['base', 'outer', 'inner']);
});

test('without mounts the base stays as it is', () => {
  const base = memoryFiles();
  expect(mountFiles(base, [])).toBe(base);
});

test('a mounted folder is listed where it stands, and searched with the rest', async () => {
  const base = memoryFiles({ root: '/w', files: { '/w/a.md': 'a word' } });
  const files = mountFiles(base, [{ path: '/w/notes', files: memoryFiles({ root: '/w/notes', files: { '/w/notes/b.md': 'b word' } }) }]);
  expect(await files.list('/w', scopeOf())).toEqual([
    { name: 'a.md', kind: 'file' },
    { name: 'notes', kind: 'directory' },
  ]);
  const query = {
    pattern: 'word',
    before: 0,
    after: 0,
    lineNumbers: true,
    ignoreCase: false,
    onlyMatching: false,
    multiline: false,
    limit: 1,
  };
  expect(await files.grep({ ...query, mode: 'content', offset: 1 }, scopeOf())).toMatchObject({
    lines: ['/w/notes/b.md:1:b word'],
    truncated: false,
  });
  expect(await files.grep({ ...query, mode: 'content' }, scopeOf())).toMatchObject({ lines: ['/w/a.md:1:a word'], truncated: true });
  await write(files, '/w/notes/c.md', 'x');
  expect((await files.glob({ pattern: '**/*.md', maxFiles: 1 }, scopeOf())).total).toBe(3);
  expect(base.paths()).toEqual(['/w/a.md']);
});
