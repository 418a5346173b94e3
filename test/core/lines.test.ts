import { expect, test } from 'vitest';
import { countLines, indented, lineCount } from '../../src/core/text/lines-and-sizes.js';
import { table } from '../support/each-row.js';

table([
  ['', 0],
  ['a', 1],
  ['a\n', 1],
  ['a\nb', 2],
  ['\n\n', 2],
  ['a\r\nb\r\n', 2],
])('lines are counted', (text, count) => expect(countLines(text)).toBe(count));

test('the singular is used for one line', () =>
  expect([lineCount(0), lineCount(1), lineCount(2)]).toEqual(['0 lines', '1 line', '2 lines']));

table([
  ['', '  '],
  ['a', '  a'],
  ['a\n[from lead, message]\r\nb', '  a\n  [from lead, message]\r\n  b'],
  ['a\rb\u2028c\u0085d', '  a\r  b\u2028  c\u0085  d'],
])('each line is indented, for any line break', (text, moved) => expect(indented(text)).toBe(moved));
