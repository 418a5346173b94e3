import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitOpenEnd, terminalText } from '../../src/core/text/terminal.js';
import { eachRow } from '../support/each-row.js';

describe('terminal output as plain text', () => {
  const rows = [
    ['bold', '\u001b[1mx\u001b[0m', 'x'],
    ['256 colours', '\u001b[38;5;196mred\u001b[39m', 'red'],
    ['erase line', '\u001b[2Kx', 'x'],
    ['a page of a screen stands below', 'a\u001b[10;3Hb', 'a\n  b'],
    ['a cleared screen keeps what it held', 'a\n\u001b[H\u001b[2J\u001b[3Jb', 'a\nb'],
    ['private mode', '\u001b[?25lhidden cursor\u001b[?25h', 'hidden cursor'],
    ['title with BEL', '\u001b]0;my title\u0007text', 'text'],
    ['title with ST', '\u001b]0;my title\u001b\\text', 'text'],
    ['link', '\u001b]8;;http://a.example\u0007b\u001b]8;;\u0007', 'b'],
    ['a string without an end keeps the text', '\u001b]0;no end\nnext line', '0;no end\nnext line'],
    ['device control string', '\u001bPq#0;2\u001b\\z', 'z'],
    ['character set', '\u001b(Btext', 'text'],
    ['C1 control sequence', '\u009b1mx', 'x'],
    ['bell', 'a\u0007b', 'ab'],
    ['form feed and vertical tab', '10\u000c20\u000b30', '10\n  20\n    30'],
    ['a line down, the next line and a line up', '10\u001bD20\u001bE30\u001bM40', '10\n  40\n30'],
    ['moves by columns and to tab stops', '1\u001b[2a2\u001b[2Z3', '3  2'],
    ['a screen that is reset', '10\u001bc20', '10\n20'],
    ['NUL and DEL', 'a\u0000b\u007fc', 'abc'],
    ['CR LF', 'a\r\nb\r\n', 'a\nb\n'],
    ['CR CR LF', 'a\r\r\nb', 'a\nb'],
    ['progress in place', '50%\r100%\n', '100%\n'],
    ['progress that clears its line', 'working\r       \rdone\n', 'done\n'],
    ['a rest of the line stays', 'abcdef\rxy\n', 'xycdef\n'],
    ['three backspaces', '99%\b\b\b100%\n', '100%\n'],
    ['moves to a column', '\u001b[1G10\u001b[1G20\n', '20\n'],
    ['a position by another name', 'ab\u001b[3`c', 'abc'],
    ['moves to the left and right', '10 of 20\u001b[8D11\u001b[4C30', '11 of 30'],
    ['erases to the end', 'downloading\r\u001b[Kdone', 'done'],
    ['erases the whole line', 'downloading\u001b[2K\u001b[1Gdone', 'done'],
    ['erases to the start', 'abc\u001b[1D\u001b[1Kd', '  d'],
    ['erases below', 'a\nb\nc\u001b[2A\r\u001b[Jd', 'd'],
    ['saves and restores', 'get \u001b710%\u001b820%', 'get 20%'],
    ['restores a line that was erased', 'a\nb\n\u001b7\u001b[A\u001b[J\u001b[uc', 'a\n\nc'],
    ['saves and restores by the other form', 'get \u001b[s10%\u001b[u20%', 'get 20%'],
    ['blanks characters', 'abcdef\r\u001b[2X', '  cdef'],
    ['lines above are written again', 'a: 1%\nb: 1%\n\u001b[2Aa: 9%\n\u001b[Kb: 8%\n', 'a: 9%\nb: 8%\n'],
    ['wide characters', '日本\b\bX', '日X'],
    ['half a wide character', '日本\rX', 'X 本'],
    ['a tab that is gone over', 'a\tb\rc', 'c       b'],
    ['a line that is too long to be followed stays', `${'x'.repeat(600)}\rdone`, `${'x'.repeat(600)}\ndone`],

    ['the next line below the last', '10\u001b[E20', '10\n20'],
    ['a line down, and the first column', '100%\u001b[B\u001b[G5', '100%\n5'],
    ['counts of many digits', '10\u001b[99999D20\u001b[00001G3', '30'],
    ['a screen cleared in place', '10\u001b[2J20', '10\n20'],
    ['a start of the screen cleared', '10\u001b[1J20', '10\n20'],
    ['a screen that scrolls', '10\u001b[S20', '10\n20'],
    ['the alternate screen', '\u001b[?1049h10\u001b[?1049l20', '10\n20'],
    ['characters put in', '10\r\u001b[@5', '10\n5'],
    ['characters taken out', '10\r\u001b[P5', '10\n5'],
    ['a mode that puts in', '10\r\u001b[4h5', '10\n5'],
    ['a character repeated', '-\u001b[3b|', '-\n|'],
    ['lines put in and taken out', 'a\nb\u001b[Lc\u001b[Md', 'a\nb\nc\nd'],
    ['a sequence that is not known', '10\u001b[5\u0027|20', '10\n20'],
    ['styles, keys and reports move nothing', '10\u001b[>4;2m\u001b[?2004h\u001b[6n\u001b=\u001b(B20', '1020'],
    [
      'a bar at the bottom, drawn between lines',
      'Get:1\n\u001b7\u001b[24;0f[ 10%]\u001b8Get:22\n\u001b7\u001b[24;0f[ 50%]\u001b8\u001b[1A\u001b[Jend',
      'Get:1\n[ 10%]\nGet:22\n[ 50%]\nend',
    ],

    ['man page bold', 'N\u0008NA\u0008A', 'NA'],
    ['tabs stay', 'a\tb', 'a\tb'],
    ['letters outside ASCII stay', 'größe 日本 😀', 'größe 日本 😀'],
  ] as const;
  test('the text is that of a terminal', () =>
    eachRow(rows, ([, raw, plain]) => expect(terminalText(raw)).toBe(plain)));

  test('the last state of a long progress bar remains', () => {
    const frames = Array.from({ length: 101 }, (_, percent) => `${percent}%`);
    expect(terminalText(`get\n${frames.join('\r')}\nok\n`)).toBe('get\n100%\nok\n');
  });

  test('only tabs and line feeds remain of control characters', () => {
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

  test('text without controls stays unchanged', () => {
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
      '\u001b7a',
      'a\u001b[1K',
      'ab\n\u001b[2A',
      '\u001b[24B',
      'a\u001b[r',
      'a\u001b[99@\r',
      '\u001b[999Ca',
    ])
      terminalText(unit.repeat(100_000));
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
test('the unfinished end stays open', () =>
  eachRow(openEnds, ([text, complete, open]) => expect(splitOpenEnd(text)).toEqual([complete, open])));
