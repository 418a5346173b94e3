import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { displayWarnings, escapeLine, escapeLines } from '../../src/core/text/escape-for-people.js';
import { terminalText } from '../../src/core/text/terminal.js';
import type { PermissionRequest } from '../../src/core.js';
import { suggestRules } from '../../src/permissions/suggest-rules.js';
import { eachRow, table } from '../support/each-row.js';

interface Case {
  readonly id: string;
  readonly class: string;
  readonly value: string | { readonly $join: readonly (string | readonly [string, number])[] };
  readonly checks: readonly string[];
  /** The real host of an address. */
  readonly host?: string;
  /** The cleaned output. */
  readonly kept?: readonly string[];
}

const hiddenWarning = 'The text contains hidden or control characters.';
const controls = /[^\P{Cc}\n\t]|\p{Cf}|[\uff01-\uff5e]/u;
const cases: Case[] = JSON.parse(readFileSync(new URL('../fixtures/display-cases.json', import.meta.url), 'utf8'));
const textOf = ({ value }: Case) =>
  typeof value === 'string'
    ? value
    : value.$join.map((part) => (typeof part === 'string' ? part : part[0].repeat(part[1]))).join('');

function fetchRequest(url: string): PermissionRequest {
  return {
    callId: 'c',
    tool: 'WebFetch',
    input: { url },
    sideEffect: 'network',
    risk: 'high',
    title: 'WebFetch',
    warnings: [],
    suggestions: [],
  };
}

describe('the examples of prompts', () => {
  test('are shown safely', () =>
    eachRow(
      cases.filter((one) => one.class === 'prompt').map((one) => [one.id, one] as const),
      ([, one]) => {
        const text = textOf(one);
        const line = escapeLine(text, 200);
        const lines = escapeLines(text);
        for (const check of one.checks) {
          if (check === 'no_raw_control' || check === 'hidden_made_visible')
            expect(`${line}${lines}`).not.toMatch(controls);
          if (check === 'hidden_made_visible') expect(line).toContain('\\u{');
          if (check === 'one_value_one_block') expect(line).not.toContain('\n');
          if (check === 'full_text_reachable') {
            expect(line).toContain('; id');
            expect(lines).toBe(text);
          }
        }
      },
    ));
});

describe('invisible characters', () => {
  const points = (from: number, to = from) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const invisible = [
    ['controls', [...points(0, 8), 11, 12, ...points(14, 31), ...points(0x7f, 0x9f)]],
    [
      'soft hyphen, joiners, zero width and direction marks',
      [0xad, 0x61c, ...points(0x200b, 0x200f), ...points(0x202a, 0x202e), ...points(0x2060, 0x206f), 0xfeff],
    ],
    ['fillers and blank letters', [0x115f, 0x1160, 0x3164, 0xffa0, 0x2800, 0x1d159, 0x17b4, 0x17b5]],
    [
      'joiners and selectors without a width',
      [0x34f, 0x180b, 0x180c, 0x180d, 0x180e, 0x180f, ...points(0xfe00, 0xfe0f), 0xe0100, 0xe01ef],
    ],
    [
      'tags and marks of music and shorthand',
      [0xe0001, 0xe0020, 0xe0061, 0xe007f, ...points(0x1d173, 0x1d17a), ...points(0x1bca0, 0x1bca3)],
    ],
    [
      'what stands for nothing',
      [0xfff0, 0xfff8, ...points(0xfff9, 0xfffc), 0xfffe, 0xffff, 0x1fffe, 0x10ffff, 0xfdd0, 0x2065, 0x378],
    ],
    ['private use and halves of pairs', [0xe000, 0xf8ff, 0xf0000, 0xd800, 0xdc00]],
    ['blanks that are none', [0xa0, 0x1680, ...points(0x2000, 0x200a), 0x202f, 0x205f, 0x3000]],
    ['separators', [0x2028, 0x2029]],
  ] as const;

  test('are escaped in titles and previews', () =>
    eachRow(invisible, ([, codes]) => {
      for (const code of codes) {
        const text = `rm${String.fromCodePoint(code)}x`;
        const wanted = `rm\\u{${code.toString(16)}}x`;
        expect([escapeLine(text, 100), escapeLines(text)], code.toString(16)).toEqual([wanted, wanted]);
      }
    }));

  test('give a warning', () =>
    eachRow(
      invisible.filter(([name]) => !/^blanks/.test(name)),
      ([, codes]) => {
        for (const code of codes)
          expect(displayWarnings(`rm${String.fromCodePoint(code)}x`), code.toString(16)).toContain(hiddenWarning);
      },
    ));

  test('visible characters stay unchanged', () =>
    eachRow(
      ['naïve café', 'Grüße', '日本語', 'русский', 'ελληνικά', '한국어', '😀', 'a—b…“c”', 'e\u0301', '→ ✓', '1 €'],
      (text) => {
        expect([escapeLine(text, 100), escapeLines(text)]).toEqual([text, text]);
        expect(displayWarnings(text)).toEqual([]);
      },
    ));
});

describe('the examples of addresses', () => {
  test('lead where the prompt says, or give a warning', () =>
    eachRow(
      cases.filter((one) => one.class === 'host').map((one) => [one.id, one] as const),
      ([, one]) => {
        const text = textOf(one);
        const warnings = displayWarnings({ deep: [text] });
        for (const check of one.checks) {
          if (check === 'mixed_script_flagged')
            expect(warnings.join('\n')).toContain('mixes letters of several scripts');
          if (check === 'not_flagged') expect(warnings).toEqual([]);
          if (check !== 'shows_real_host') continue;
          const suggestions = suggestRules(fetchRequest(text));
          const real = one.host ?? new URL(text).hostname;
          expect([...warnings, ...suggestions].join('\n')).toContain(real);
          if (URL.canParse(text)) expect(suggestions).toEqual([`WebFetch(domain:${real})`]);
        }
      },
    ));
});

describe('the examples of output', () => {
  test('lose terminal controls and keep the rest', () =>
    eachRow(
      cases.filter((one) => one.class === 'output').map((one) => [one.id, one] as const),
      ([, one]) => {
        const plain = terminalText(textOf(one));
        expect(plain).not.toMatch(/[^\P{Cc}\n\t]/u);
        for (const kept of one.kept ?? []) expect(plain).toContain(kept);
      },
    ));
});

describe('a shortened line', () => {
  table([
    ['plain text', 'Bash: npm test', 'Bash: npm test'],
    ['letters of any one script', 'Grüße, мир, 世界', 'Grüße, мир, 世界'],
    ['line breaks', 'a\nb\r\nc\td', 'a\\nb\\r\\nc\\td'],
    ['escape sequences', '\u001b[31mred', '\\u{1b}[31mred'],
    ['many blanks', `a${' '.repeat(12)}b`, 'a [12 blanks] b'],
    ['a lone surrogate', 'a\ud800b', 'a\\u{d800}b'],
  ])('is cut and marked if necessary', (_name, text, wanted) => expect(escapeLine(text, 200)).toBe(wanted));

  test('is cut in the middle', () => {
    const line = escapeLine(`start${'x'.repeat(500)}end`, 40);
    expect(line.length).toBeLessThanOrEqual(43);
    expect(line).toMatch(/^start.* … .*end$/);
  });

  test('never has an invisible character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 60 }),
        (text) => !/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(escapeLine(text, 1_000)),
      ),
    );
  });
});

describe('warnings', () => {
  table([
    ['ls -la', 0],
    ['Grüße\nzweite Zeile', 0],
    ['ls\u202e', 2],
    ['ls\u200c', 1],
    ['ls\u0007', 1],
    ['https://g\u043e\u043egle.example/', 2],
    ['\uff4c\uff53', 1],
    ['привет world', 0],
  ])('name deceptive parts of an address', (text, count) =>
    expect(displayWarnings({ deep: [{ text }] })).toHaveLength(count),
  );
});

describe('deceptive addresses', () => {
  const leads = (host: string) => `An address in the text leads to ${host}.`;

  table([
    ['a tab in the host', 'https://good.example\t.evil.example/', 'good.example.evil.example'],
    ['several breaks', 'https://good.example\n\t.evil\r\n.example/x', 'good.example.evil.example'],
    ['a break before a user', 'https://good.example\n@evil.example/', 'evil.example'],
    ['a break in the middle of a word', 'https://good.exam\nple-evil.example/', 'good.example-evil.example'],
    ['blanks around it', '  https://good.example\n.evil.example/ \n', 'good.example.evil.example'],
    ['a list behind it', 'https://good.example\n.evil.example/\nhttps://other.example/', 'good.example.evil.example'],
    ['quotes in a longer text', `fetch("https://good.example\n.evil.example/x") // see`, 'good.example.evil.example'],
    ['other quotes', "open 'https://good.example\t@evil.example'", 'evil.example'],
    ['a tab in running text', 'Go to https://good.example\t.evil.example/ now', 'good.example.evil.example'],
    ['a user behind a tab in running text', 'Go to https://good.example\t@evil.example now', 'evil.example'],
    ['slashes the other way', String.raw`https:\\good.example@evil.example`, 'evil.example'],
  ])('give a warning', (_name, text, host) => expect(displayWarnings({ deep: [text] })).toContainEqual(leads(host)));

  table([
    ['https://good.example\n'],
    ['https://good.example/a\tb'],
    ['https://good.example/a\nb.example'],
    ['https://good.example\nhttps://other.example\n'],
    ['See https://good.example\nand then go on.'],
    ['# https://good.example\n.env\n*.log of the day'],
    ['name\thttps://good.example\tother\t.x y'],
    ['// https://good.example\n@Component()\nclass A {}'],
    ["const a = 'https://good.example';\nconst b = 'x';"],
    ['https://xn--mnchen-3ya.example/'],
    ['https://www.xn--80ak6aa92e.example/'],
  ])('an address has its real target as a note', (text) => expect(displayWarnings({ deep: [text] })).toEqual([]));

  table([
    'https://xn--ggle-55da.example/',
    'See http://www.XN--ggle-55da.example:8080/x?y today',
    '"https://xn--ggle-55da.example"',
  ])('a name with letters of several scripts gives a warning', (text) => {
    const host = /www/.test(text) ? 'www.xn--ggle-55da.example' : 'xn--ggle-55da.example';
    expect(displayWarnings({ deep: [text] })).toEqual([
      `The host of an address mixes letters of several scripts: ${host}`,
    ]);
  });

  test('the time for a long text does not depend on its content', () => {
    const texts = [
      'https://a.example\n'.repeat(50_000),
      `"https://${'\n'.repeat(500_000)}`,
      `https://a${'\t@'.repeat(200_000)}`,
      '"https://a\n'.repeat(50_000),
      `https://xn--${'a'.repeat(200_000)}.example`,
    ];
    for (const text of texts) displayWarnings(text);
  });
});
