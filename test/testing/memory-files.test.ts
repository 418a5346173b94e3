import { memoryFiles } from 'toolwright/testing';
import { expect, test } from 'vitest';
import { callScope } from '../support/call-scope.js';
import { eachRow } from '../support/each-row.js';

test('begins with the given files, by absolute or relative path', () => {
  const files = memoryFiles({ root: '/r', files: { 'src/a': 'x', '/r/b': Buffer.of(1) } });
  expect(files.paths()).toEqual(['/r/b', '/r/src/a']);
  expect(files.text('src/a')).toBe('x');
  expect(files.text('/r/none')).toBeUndefined();
});

test('a read-only file is not changed', async () => {
  const files = memoryFiles();
  files.set('a', 'x', 0o444);
  await expect(files.update('/workspace/a', () => ({ slices: [] }), callScope())).rejects.toMatchObject({
    code: 'storage_failed',
  });
});

test('an update is repeated after a change from outside', async () => {
  const files = memoryFiles({ files: { a: '1' } });
  let calls = 0;
  await files.update(
    '/workspace/a',
    async (current) => {
      if (calls++ === 0) files.set('a', '2');
      return { slices: [(await current?.bytes()) ?? Buffer.of(), Buffer.from('!')] };
    },
    callScope(),
  );
  expect(files.text('a')).toBe('2!');
});

const mistakes: readonly (readonly [given: readonly unknown[], message: string])[] = [
  [[{ 'a.txt': 'one' }], 'got the option a.txt; write memoryFiles({ files: { "/workspace/a.txt": content } })'],
  [[{ root: '/r', './src/a': 'one' }], 'write memoryFiles({ files: { "/r/src/a": content } })'],
  [[{ '/workspace/a.txt': 'one' }], 'write memoryFiles({ files: { "/workspace/a.txt": content } })'],
  [[{ file: { 'a.txt': 'one' } }], 'file is no option. Did you mean "files"?'],
  [['/workspace', { 'a.txt': 'one' }], 'got a string; write memoryFiles({ root, files })'],
  [[{ root: '/workspace' }, { 'a.txt': 'one' }], 'got an object with a.txt; write memoryFiles({ root, files })'],
  [[['a.txt']], 'got a list of strings'],
  [[new Map([['a.txt', 'one']])], 'memoryFiles takes one object'],
  [[null], 'got null'],
  [[{ root: 'workspace' }], 'root takes an absolute path, not "workspace"'],
  [[{ files: ['a.txt'] }], 'files takes an object of texts or bytes by path, not a list'],
  [[{ files: new Map([['a.txt', 'one']]) }], 'files takes an object of texts or bytes by path'],
  [[{ files: { src: { 'a.txt': 'one' } } }], 'files takes an object of texts or bytes by path'],
  [[{ files: { 'a.txt': 1 } }], 'files takes an object of texts or bytes by path'],
  [[{ files: { '/tmp/a.txt': 'one' } }], '/tmp/a.txt is not a file below the root /workspace. Write /workspace/a.txt'],
  [[{ files: { '../a.txt': 'one' } }], '../a.txt is not a file below the root /workspace. Write /workspace/a.txt'],
  [[{ files: { '': 'one' } }], 'is not a file below the root'],
];
test('options that would give an empty disk or an unreachable file are rejected', () =>
  eachRow(mistakes, ([given, message]) => {
    const make = () => (memoryFiles as (...given: readonly unknown[]) => unknown)(...given);
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
  }));

test('a file whose name begins with two dots is below the root', () => {
  expect(memoryFiles({ files: { '..a': 'x', '...': 'y' } }).paths()).toEqual(['/workspace/...', '/workspace/..a']);
});
