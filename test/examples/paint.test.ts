import { expect, test } from 'vitest';
import { createPaint, plain } from '../../examples/agent-loop/paint.js';
import { eachRow } from '../support/each-row.js';

const terminal = { isTTY: true };

const streams = [
  [terminal, {}, true],
  [terminal, { NO_COLOR: '1' }, false],
  [terminal, { NO_COLOR: '' }, true],
  [terminal, { TERM: 'dumb' }, false],
  [terminal, { FORCE_COLOR: '0' }, false],
  [{}, {}, false],
  [{}, { FORCE_COLOR: '1' }, true],
  [{}, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
] as const;
test('colours are used only for a terminal that wants them', () =>
  eachRow(streams, ([stream, env, isColoured]) => expect(createPaint(stream, env).red('x') !== 'x').toBe(isColoured)));

const texts = [
  ['a\u001b[31mb', 'a\\u{1b}[31mb'],
  ['50%\r100%', '50%\\u{d}100%'],
  ['a\r\nb\tc', 'a\nb\tc'],
  ['ls\u202e\u200b', 'ls\\u{202e}\\u{200b}'],
  ['a\ud800', 'a\\u{d800}'],
  ['Grüße 😀', 'Grüße 😀'],
] as const;
test('printed text has no hidden characters', () =>
  eachRow(texts, ([text, printed]) => expect(plain(text)).toBe(printed)));
