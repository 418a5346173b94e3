import { expect, test } from 'vitest';
import { withoutRoot } from '../../src/toolkit/make-tools.js';
import { eachRow } from '../support/each-row.js';

const rows = [
  ['/ws', '/ws/src/a.ts', 'src/a.ts'],
  ['/ws', '/ws/a.ts:3:/ws/b.ts', 'a.ts:3:/ws/b.ts'],
  ['/ws', '/wsx/a.ts', '/wsx/a.ts'],
  ['/ws', '/ws', '/ws'],
  ['/ws', '/other/a.ts', '/other/a.ts'],
  ['/', '/a.ts', 'a.ts'],
  ['C:\\ws', 'C:\\ws\\src\\a.ts', 'src\\a.ts'],
  ['/ws', '--', '--'],
] as const;
test('paths below the root are shown without it', () =>
  eachRow(rows, ([root, text, shown]) => expect(withoutRoot(root)(text)).toBe(shown)));
