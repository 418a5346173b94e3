import { expect, test } from 'vitest';
import { memoryFiles } from '../../src/testing/memory-files.js';
import { callScope } from '../support/call-scope.js';

test('begins with the files it is given, by absolute or relative path', () => {
  const files = memoryFiles({ root: '/r', files: { 'src/a': 'x', '/r/b': Buffer.of(1) } });
  expect(files.paths()).toEqual(['/r/b', '/r/src/a']);
  expect(files.text('src/a')).toBe('x');
  expect(files.text('/r/none')).toBeUndefined();
});

test('a file that is marked read-only is not changed', async () => {
  const files = memoryFiles();
  files.set('a', 'x', 0o444);
  await expect(files.update('/workspace/a', () => ({ slices: [] }), callScope())).rejects.toMatchObject({
    code: 'storage_failed',
  });
});

test('a change from outside during an update is seen, and the update made anew', async () => {
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
