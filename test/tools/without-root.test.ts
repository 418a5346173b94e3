import { expect, test } from 'vitest';
import { withoutRoot } from '../../src/tools/support/without-root.js';

test.for([
  ['/ws', '/ws/src/a.ts', 'src/a.ts'],
  ['/ws', '/ws/a.ts:3:/ws/b.ts', 'a.ts:3:/ws/b.ts'],
  ['/ws', '/wsx/a.ts', '/wsx/a.ts'],
  ['/ws', '/ws', '/ws'],
  ['/ws', '/other/a.ts', '/other/a.ts'],
  ['/', '/a.ts', 'a.ts'],
  ['C:\\ws', 'C:\\ws\\src\\a.ts', 'src\\a.ts'],
  ['/ws', '--', '--'],
] as const)('below %s, %s is shown as %s', ([root, text, shown]) => expect(withoutRoot(root)(text)).toBe(shown));
