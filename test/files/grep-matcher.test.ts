import { spawnSync } from 'node:child_process';
import { rgPath } from '@vscode/ripgrep';
import { describe, expect, test } from 'vitest';
import { GrepMatcher } from '../../src/files/grep-matcher.js';
import { PatternError } from '../../src/files/grep-syntax.js';
import { decodeText } from '../../src/files/grep-text.js';

const text = [
  'foo bar',
  'Foo_BAR 42',
  'a.b (x) [1] {}',
  'naïve ÉCOLE straße',
  'Σίσυφος σς',
  '日本語 ١٢٣',
  'tab\there',
  '',
  '\\n $5 ^ | -',
  'x&&y~~z',
  'ſ K k',
].join('\n');

/** The matching lines, by ripgrep itself; undefined when it refuses the pattern. */
function byRipgrep(pattern: string): string | undefined {
  const run = spawnSync(rgPath, ['--no-config', '-N', '-e', pattern, '-'], { input: text, encoding: 'utf8' });
  return run.status === 2 ? undefined : run.stdout;
}

function byMatcher(pattern: string): string | undefined {
  try {
    const matcher = new GrepMatcher({ pattern, ignoreCase: false, multiline: false });
    const decoded = decodeText(Buffer.from(text));
    const lines = text.split('\n').filter((line) => {
      const expression = matcher.expressionFor({ ...decoded, text: line });
      expression.lastIndex = 0;
      return expression.test(line);
    });
    return lines.map((line) => `${line}\n`).join('');
  } catch (thrown) {
    if (thrown instanceof PatternError) return undefined;
    throw thrown;
  }
}

describe('patterns mean what they mean to ripgrep', () => {
  const patterns = [
    'foo',
    '(?i)foo',
    '(?i:f)OO',
    'f(?i)OO',
    '(?x) f o o',
    '(?s).',
    '(?U)o+',
    '(?-i)foo',
    '(?P<n>fo)o',
    '(?<n>fo)o',
    '(?i)σ',
    '(?i)straSSe',
    '(?i)[s-t]',
    '\\d',
    '\\D',
    '\\w+',
    '\\W',
    '\\s',
    '\\S',
    '\\bbar\\b',
    '\\Bar',
    '\\<foo',
    'bar\\>',
    '\\b{start}a',
    '\\b{end}',
    '\\b{start-half}x',
    '\\b{end-half}',
    '\\p{Greek}',
    '\\p{Lu}',
    '\\P{L}',
    '\\pL',
    '\\p{^L}',
    '\\p{Alphabetic}',
    '\\p{Script=Han}',
    '\\p{sc=Greek}',
    '\\p{gc=Nd}',
    '\\p{Nonsense}',
    '[[:alpha:]]',
    '[[:^alpha:]]',
    '[[:digit:][:space:]]',
    '[[:word:]]+',
    '[[:foo:]]',
    '[]a]',
    '[^]a]',
    '[a-]',
    '[-a]',
    '[a-c-e]',
    '[\\d.]',
    '[\\w&&[^a-z]]',
    '[a-z--b]',
    '[a-f~~d-k]',
    '[a[bf]]oo',
    '[&]',
    '[a&&b]',
    '[^\\W\\d_]',
    '[\\]x]',
    '[\\x41-\\x5A]',
    '[a-\\d]',
    '[z-a]',
    '[',
    '[a',
    '[]',
    '[^]',
    'a{2}',
    'o{2}',
    'o{1,}',
    'o{1,3}?',
    'o{ 2 }',
    'o{,2}',
    'o{',
    'o{2',
    '{o',
    'o{2}{1}',
    'o**',
    'o+*',
    'o??',
    '*o',
    '+',
    '?',
    '(*)',
    'a|*',
    '\\x66oo',
    '\\x{66}oo',
    '\\u0066oo',
    '\\u{66}oo',
    '\\U00000066oo',
    '\\u{d800}',
    '\\x6',
    '\\0',
    '\\1',
    '\\q',
    '\\e',
    '\\cA',
    '\\Z',
    '\\G',
    '\\K',
    '\\R',
    '\\X',
    '\\h',
    '\\é',
    '\\-',
    '\\/',
    '\\_',
    '\\#',
    '\\ ',
    '\\&',
    '^foo',
    'bar$',
    '^$',
    '^',
    '$',
    '\\Afoo',
    'bar\\z',
    '(foo',
    'foo)',
    '(?:foo|bar)',
    '(foo|)',
    '|',
    '()',
    '(?)',
    '(?i',
    '(?z)foo',
    '(?=x)',
    '(?!x)',
    '(?<=x)',
    '(?<!x)',
    '(?P=n)',
    '(?#c)',
    '(?P<1>x)',
    '(?<>x)',
    '\\$5',
    '\\^',
    '\\|',
    '\\{\\}',
    '\\[1\\]',
    '\\(x\\)',
    ']',
    '}',
    '&&',
    '~~',
    'é',
    'É',
    '日本',
    '\\n',
    'a\\nb',
    '[\\n]',
    '[\\na]',
    '\\\\n',
    'ſ',
    '(?i)k',
    '(?i)ſ',
  ];
  test.each(patterns)('%s', (pattern) => {
    expect(byMatcher(pattern)).toBe(byRipgrep(pattern));
  });
});

test('what every match contains is looked for first', () => {
  const matcher = new GrepMatcher({ pattern: '^import .*(x|y)+needle\\b', ignoreCase: false, multiline: false });
  expect(matcher.mayMatch(Buffer.from('import z needle'))).toBe(true);
  expect(matcher.mayMatch(Buffer.from('import z noodle'))).toBe(false);
  expect(new GrepMatcher({ pattern: 'needle', ignoreCase: true, multiline: false }).mayMatch(Buffer.from('NEEDLE'))).toBe(true);
});
