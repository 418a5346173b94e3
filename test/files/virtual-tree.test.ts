import { describe, expect, test } from 'vitest';
import { virtualPath, virtualTree } from '../../src/files/store/virtual-tree.js';
import { table } from '../support/each-row.js';

const tree = virtualTree('/w', ['/w/a.txt', '/w/d/b.txt', '/w/d/e/c.txt', '/w/dd']);

describe('folders exist while they contain files', () => {
  table([
    ['/w', true],
    ['/w/d', true],
    ['/w/d/e', true],
    ['/w/dd', false],
    ['/w/a.txt', false],
    ['/w/none', false],
  ])('and are not files', (path, isFolder) => expect(tree.isFolder(path)).toBe(isFolder));

  test('and list their content by name', () => {
    expect(tree.entries('/w').map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      'a.txt file',
      'd directory',
      'dd file',
    ]);
    expect(tree.entries('/w/d').map(({ name }) => name)).toEqual(['b.txt', 'e']);
    expect(virtualTree('/', ['/a']).entries('/')).toEqual([{ name: 'a', kind: 'file' }]);
    expect(virtualTree('/w', []).entries('/w')).toEqual([]);
  });
});

table([
  ['a file in place of a folder', () => tree.entries('/w/a.txt'), 'not_a_file'],
  ['a folder that is not there', () => tree.entries('/w/none'), 'file_not_found'],
  ['nothing', () => tree.requireAny('/w/none'), 'file_not_found'],
  ['a file where a folder is', () => tree.refusePlace('/w/d'), 'not_a_file'],
  ['a file below a file', () => tree.refusePlace('/w/a.txt/x'), 'not_a_file'],
  ['a path outside', () => virtualPath('/w/../x', '/w'), 'path_outside_root'],
  ['a neighbour of the root', () => virtualPath('/ww', '/w'), 'path_outside_root'],
  ['a relative path', () => virtualPath('x', '/w'), 'path_not_absolute'],
])('impossible changes are refused', (_name, job, code) => expect(job).toThrowError(expect.objectContaining({ code })));

test('a similar name is suggested', () => {
  expect(tree.missing('/w/d/bb.txt').message).toBe('File not found: /w/d/bb.txt. Did you mean /w/d/b.txt?');
  expect(tree.missing('/w/d/f/x').message).toBe(
    'File not found: /w/d/f/x. The folder /w/d/f does not exist either; use Glob to find the right path.',
  );
  expect(tree.missing('/w/z.txt').message).toBe('File not found: /w/z.txt. Did you mean /w/a.txt?');
  expect(tree.missing('/w/other.txt').message).toBe('File not found: /w/other.txt. Use Glob to find the right path.');
  tree.refusePlace('/w/new/x');
  expect(virtualPath('/w/./d//x', '/w')).toBe('/w/d/x');
});
