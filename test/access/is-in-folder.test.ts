import { expect, test } from 'vitest';
import { isInFolder } from '../../src/access/rules/is-in-folder.js';

test.each<[string, string, boolean]>([
  ['/ws', '/ws', true],
  ['/ws/a', '/ws/', true],
  ['/ws/..a/b', '/ws', true],
  ['/ws/x/../../etc', '/ws', false],
  ['/wsx', '/ws', false],
  ['/', '/ws', false],
  ['/ws', '/', true],
])('%s is in %s: %s', (path, folder, wanted) => {
  expect(isInFolder(path, folder)).toBe(wanted);
});
