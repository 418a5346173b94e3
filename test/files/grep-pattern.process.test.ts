import { spawnSync } from 'node:child_process';
import { rgPath } from '@vscode/ripgrep';
import { describe, expect, test } from 'vitest';
import { GrepPattern } from '../../src/files/search/javascript/grep-pattern.js';
import { decodeUtf8 } from '../../src/files/search/query/decoded-text.js';
import { PatternError } from '../../src/files/search/query/pattern-error.js';
import { eachRow, samples } from '../support/each-row.js';

const text = [
  ...samples`foo bar ¦ Foo_BAR 42 ¦ a.b (x) [1] {} ¦ \n $5 ^ | - ¦ x&&y~~z ¦ a-b 7`,
  'naïve ÉCOLE straße',
  'Σίσυφος σς',
  '日本語 ١٢٣',
  'tab\there',
  '',
  'ſ K k',
  'ー 々',
].join('\n');

/** The matching lines of ripgrep itself, or undefined if it rejects the pattern. */
function byRipgrep(pattern: string): string | undefined {
  const run = spawnSync(rgPath, ['--no-config', '-N', '-e', pattern, '-'], { input: text, encoding: 'utf8' });
  return run.status === 2 ? undefined : run.stdout;
}

async function byPattern(pattern: string): Promise<string | undefined> {
  try {
    const made = await GrepPattern.of({ pattern, ignoreCase: false, multiline: false });
    const { kind } = decodeUtf8(Buffer.from(text));
    const lines = text.split('\n').filter((line) => made.isIn({ text: line, kind }));
    return lines.map((line) => `${line}\n`).join('');
  } catch (thrown) {
    if (thrown instanceof PatternError)
      return thrown.message.startsWith('this pattern needs ripgrep: ') ? 'needs ripgrep' : undefined;
    throw thrown;
  }
}

describe('patterns with the meaning of ripgrep', () => {
  const patterns = [
    ...samples`
      foo ¦ (?i)foo ¦ (?i:f)OO ¦ f(?i)OO ¦ (?x) f o o ¦ (?s). ¦ (?U)o+ ¦ (o.)+ ¦ ^(.*,)+x ¦ ([^,]o){1,2} ¦ (?:^f|r$)+
      ([[:^alpha:]]4)+ ¦ [--a]o ¦ \p{Cs} ¦ [^\p{Cs}]x ¦ [^--.]x ¦ [-] ¦ [^-]$ ¦ (?-i)foo ¦ (?P<n>fo)o ¦ (?<n>fo)o
      (?i)straSSe ¦ (?i)[s-t] ¦ \d ¦ \D ¦ \w+ ¦ \W ¦ \s ¦ \S ¦ \bbar\b ¦ \Bar ¦ \<foo ¦ bar\> ¦ \b{start}a ¦ \b{end}
      \b{start-half}x ¦ \b{end-half} ¦ \p{Greek} ¦ \p{Lu} ¦ \P{L} ¦ \pL ¦ \p{^L} ¦ \p{Alphabetic} ¦ \p{Script=Han}
      \p{sc=Greek} ¦ \p{gc=Nd} ¦ \p{Nonsense} ¦ \p{Hiragana} ¦ \p{Hira} ¦ \p{sc=Hira} ¦ \p{scx=Hira}
      \p{Script_Extensions=Kana} ¦ \p{Common} ¦ \p{greek} ¦ \p{IsGreek} ¦ \p{is_l} ¦ \p{lower_case} ¦ \p{LOWERCASE}
      \p{uppercase-letter} ¦ \p{isalpha} ¦ \p{space} ¦ \p{ascii} ¦ \p{any} ¦ \p{Assigned} ¦ \p{xid-start}
      \p{ascii_hex_digit} ¦ \p{Old-Italic} ¦ \p{sign-writing} ¦ \p{phags_pa} ¦ \p{nko} ¦ \p{lc} ¦ \p{LC}
      \p{cased_letter} ¦ \p{Sc} ¦ \p{cf} ¦ \p{dash} ¦ \p{gc:Lm} ¦ \p{GeneralCategory=modifier_letter} ¦ \p{script:han}
      \p{GCB=Other} ¦ \p{Unknown} ¦ \p{zzzz} ¦ \p{RGI_Emoji} ¦ \p{InKatakana} ¦ \p{Block=Katakana} ¦ \p{Nd=Nd}
      \p{Old Italic} ¦ [\p{ lower case }--\p{ASCII}] ¦ [[:alpha:]] ¦ [[:^alpha:]] ¦ [[:digit:][:space:]] ¦ [[:word:]]+
      [[:foo:]] ¦ []a] ¦ [^]a] ¦ [a-] ¦ [-a] ¦ [a-c-e] ¦ [\d.] ¦ [\w&&[^a-z]] ¦ [a-z--b] ¦ [a-f~~d-k] ¦ [a[bf]]oo ¦ [&]
      [a&&b] ¦ [^\W\d_] ¦ [\]x] ¦ [a-\d] ¦ [\d-z] ¦ [\d-] ¦ [\w--b] ¦ [\pL-z] ¦ [[:alpha:]-z] ¦ [[a-c]-z]
      (?<n>a)(?<n>b) ¦ (?<n>a)|(?P<n>b) ¦ (?<n>a)(?<m>b) ¦ [z-a] ¦ [ ¦ [a ¦ [] ¦ [^] ¦ a{2} ¦ o{2} ¦ o{1,} ¦ o{1,3}?
      o{ 2 } ¦ o{,2} ¦ o{ ¦ o{2 ¦ {o ¦ o{2}{1} ¦ o** ¦ o+* ¦ o?? ¦ *o ¦ + ¦ ? ¦ (*) ¦ a|* ¦ \U00000066oo ¦ \0 ¦ \1 ¦ \q
      \e ¦ \cA ¦ \Z ¦ \G ¦ \K ¦ \R ¦ \X ¦ \h ¦ \- ¦ \/ ¦ \_ ¦ \# ¦ \& ¦ ^foo ¦ bar$ ¦ ^$ ¦ ^ ¦ $ ¦ \Afoo ¦ bar\z ¦ (foo
      foo) ¦ (?:foo|bar) ¦ (foo|) ¦ | ¦ () ¦ (?) ¦ (?i ¦ (?z)foo ¦ (?=x) ¦ (?!x) ¦ (?<=x) ¦ (?<!x) ¦ (?P=n) ¦ (?#c)
      (?P<1>x) ¦ (?<>x) ¦ \$5 ¦ \^ ¦ \| ¦ \{\} ¦ \[1\] ¦ \(x\) ¦ ] ¦ } ¦ && ¦ ~~ ¦ \n ¦ a\nb ¦ [\n] ¦ [\na] ¦ \\n
      (?i)k
    `,
    '(.o)+ ',
    '(\\D\\S)+ ',
    '(?i)σ',
    '[\\x41-\\x5A]',
    '\\x66oo',
    '\\x{66}oo',
    '\\u0066oo',
    '\\u{66}oo',
    '[\\u0066a]oo',
    '[\\U00000066]oo',
    '[\\u{66}]oo',
    '\\bÉ',
    'e\\b',
    'ï\\B',
    '[^\\W\\d_]ve',
    '[\\W_]É',
    '\\u{d800}',
    '\\x6',
    '\\é',
    '\\ ',
    'é',
    'É',
    '日本',
    'ſ',
    '(?i)ſ',
  ];
  test('match the same lines, or are rejected', () =>
    eachRow(patterns, async (pattern) => {
      const own = await byPattern(pattern);
      if (own !== 'needs ripgrep') expect(own).toBe(byRipgrep(pattern));
    }));
});

test('a pattern whose parts have no end is refused in linear time, and so is one that compiles slowly', () =>
  eachRow(
    [
      ...['[', '[a', '\\p{', '\\x{', '(?<a', '(', '[[:a', 'a{ ,'].map((part) => part.repeat(15_000 / part.length)),
      `a{${' '.repeat(7_000)},${' '.repeat(7_000)}x`,
      '[\\W\\-é]'.repeat(2_000),
      '\\w{1,800}[^\\w]{1,800}',
    ],
    async (pattern) =>
      await expect(GrepPattern.of({ pattern, ignoreCase: true, multiline: false })).rejects.toThrow(PatternError),
  ));

test('the positions of many matches in one line beyond ASCII are found in linear time', async () => {
  const pattern = await GrepPattern.of({ pattern: '\\bé', ignoreCase: false, multiline: false });
  const text = 'é '.repeat(50_000);
  const spans = [...pattern.matches({ text, kind: 'unicode' })];
  expect(spans).toHaveLength(50_000);
  expect(spans.at(-1)).toEqual({ start: text.length - 2, end: text.length - 1 });
});

test('text in every match is searched for first', async () => {
  const pattern = await GrepPattern.of({ pattern: '^import .*(x|y)+needle\\b', ignoreCase: false, multiline: false });
  expect(pattern.mayMatch(Buffer.from('import z needle'))).toBe(true);
  expect(pattern.mayMatch(Buffer.from('import z noodle'))).toBe(false);
  const anyCase = await GrepPattern.of({ pattern: 'needle', ignoreCase: true, multiline: false });
  expect(anyCase.mayMatch(Buffer.from('NEEDLE'))).toBe(true);
  expect(anyCase.candidate({ text: 'a\nNEEDLE', kind: 'ascii' }, 0)).toBe(2);
});
