import { expect } from 'vitest';
import { typedText } from '../../src/extras/process/tool.js';
import { table } from '../support/each-row.js';

table([
  ['1+1\\n', '1+1\r'],
  ['1+1\n', '1+1\r'],
  ['a\r\nb', 'a\rb'],
  ['\\x03', '\u0003'],
  ['\u0003', '\u0003'],
  ['\\x1B[A', '\u001b[A'],
  ['\\u00e9\\t\\e', 'é\t\u001b'],
  ['C:\\\\new', 'C:\\new'],
  ['\\d+ \\xZZ \\', '\\d+ \\xZZ \\'],
])('escapes become keys, and a line break is Enter', (text, typed) => expect(typedText(text)).toBe(typed));
