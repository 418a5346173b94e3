import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitOpenEnd, terminalText } from '../../src/text/terminal-text.js';
import { eachRow } from '../support/each-row.js';

describe('terminal output as plain text', () => {
  const rows = [
    ['bold', '\u001b[1mx\u001b[0m', 'x'],
    ['256 colours', '\u001b[38;5;196mred\u001b[39m', 'red'],
    ['erase line', '\u001b[2Kx', 'x'],
    ['cursor moves', 'a\u001b[2A\u001b[10;3Hb', 'ab'],
    ['private mode', '\u001b[?25lhidden cursor\u001b[?25h', 'hidden cursor'],
    ['title with BEL', '\u001b]0;my title\u0007text', 'text'],
    ['title with ST', '\u001b]0;my title\u001b\\text', 'text'],
    ['link', '\u001b]8;;http://a.example\u0007b\u001b]8;;\u0007', 'b'],
    ['a string without an end keeps the text', '\u001b]0;no end\nnext line', '0;no end\nnext line'],
    ['device control string', '\u001bPq#0;2\u001b\\z', 'z'],
    ['character set', '\u001b(Btext', 'text'],
    ['C1 control sequence', '\u009b1mx', 'x'],
    ['bell and form feed', 'a\u0007b\u000cc', 'abc'],
    ['NUL and DEL', 'a\u0000b\u007fc', 'abc'],
    ['CR LF', 'a\r\nb\r\n', 'a\nb\n'],
    ['CR CR LF', 'a\r\r\nb', 'a\nb'],
    ['progress in place', '50%\r100%\n', '50%\n100%\n'],
    ['progress that clears its line', 'working\r       \rdone\n', 'working\ndone\n'],
    ['man page bold', 'N\u0008NA\u0008A', 'NA'],
    ['tabs stay', 'a\tb', 'a\tb'],
    ['letters outside ASCII stay', 'größe 日本 😀', 'größe 日本 😀'],
  ] as const;
  test('text is what a terminal would show', () =>
    eachRow(rows, ([, raw, plain]) => expect(terminalText(raw)).toBe(plain)));

  test('a long progress bar becomes its first and its last state', () => {
    const frames = Array.from({ length: 101 }, (_, percent) => `${percent}%`);
    expect(terminalText(`get\n${frames.join('\r')}\nok\n`)).toBe('get\n0%\n[99 overwritten lines]\n100%\nok\n');
  });

  test('no control character but tab and line feed comes out, whatever goes in', () => {
    const noise = fc.string({
      unit: fc.constantFrom(
        '\u001b',
        '[',
        ']',
        ';',
        '0',
        'm',
        '\\',
        '\r',
        '\n',
        '\u0007',
        '\u0008',
        '\u009b',
        'a',
        '日',
        '\t',
      ),
    });
    fc.assert(
      fc.property(noise, (raw) => {
        expect(terminalText(raw)).not.toMatch(/[^\P{Cc}\n\t]/u);
      }),
    );
  });

  test('text without controls stays as it is', () => {
    fc.assert(
      fc.property(fc.string(), (raw) => {
        const text = raw.replaceAll(/[^\P{Cc}\n\t]/gu, '');
        expect(terminalText(text)).toBe(text);
      }),
    );
  });

  test('time is linear in hostile text', () => {
    for (const unit of [
      '\u001b]',
      '\u001b[',
      '\u001b[1;',
      '\r',
      'a\r',
      '\u0008',
      '\u001b]0;x',
      '\u009d',
      '\u0090x',
      '\u009b',
    ])
      terminalText(unit.repeat(300_000));
  });
});

const openEnds = [
  ['abc', 'abc', ''],
  ['abc\u001b', 'abc', '\u001b'],
  ['abc\u001b[3', 'abc', '\u001b[3'],
  ['abc\u001b[31m', 'abc\u001b[31m', ''],
  ['abc\u001b]0;ti', 'abc', '\u001b]0;ti'],
  ['50%\r', '50%', '\r'],
  ['x\ud83d', 'x', '\ud83d'],
] as const;
test('what may go on is open at its end', () =>
  eachRow(openEnds, ([text, complete, open]) => expect(splitOpenEnd(text)).toEqual([complete, open])));

test('a backspace takes back a whole character', () => expect(terminalText('a😀\bb')).toBe('ab'));
