import fc from 'fast-check';
import { expect, test } from 'vitest';
import { globMatcher } from '../../src/core/paths/glob-matcher.js';
import { globPattern, nameEndings } from '../../src/files/search/glob/glob-pattern.js';
import { eachRow, table } from '../support/each-row.js';

const rows: readonly (readonly [patterns: readonly string[], endings: readonly string[] | undefined])[] = [
  [['**/*.ts'], ['.ts']],
  [
    ['*.ts', 'src/*.d.ts'],
    ['.ts', '.d.ts'],
  ],
  [['src/index.ts'], ['index.ts']],
  [['src/*-test.?s'], ['s']],
  [['**/read me.txt'], ['read me.txt']],
  [['**/*'], undefined],
  [['src/**'], undefined],
  [['**/*.ts', '**/*'], undefined],
  [['src/'], undefined],
  [['*.ts?'], undefined],
  [['*.[jt]s'], undefined],
  [['*.+(ts|js)'], undefined],
  [['!(*.ts)'], undefined],
  [['*.ts\\]'], undefined],
  [['*.a|b.ts'], undefined],
  [['*."ts"'], undefined],
  [['*.{ts,js}'], undefined],
];

test('the ends of the names that patterns mean', () =>
  eachRow(rows, ([patterns, endings]) => expect(nameEndings(patterns)).toEqual(endings)));

test('no name that a pattern matches ends otherwise', () => {
  const part = fc.stringMatching(/^[ab.*?[\]()!+@|\\" -]{1,6}$/);
  fc.assert(
    fc.property(part, fc.stringMatching(/^[ab. -]{1,6}$/), (pattern, name) => {
      fc.pre(globMatcher.isMatch(name, pattern, { dot: true }));
      expect(nameEndings([pattern])?.some((ending) => name.endsWith(ending)) ?? true).toBe(true);
    }),
    { numRuns: 500, maxSkipsPerRun: 1_000 },
  );
});

table([
  ['src\\b\\*.ts', 'src/b/*.ts', 'srcb\\*.ts'],
  ['src\\**\\*.ts', 'src/**/*.ts', 'src\\**\\*.ts'],
])('on Windows a backslash parts folders, elsewhere it may be an escape too', (text, path, escaped) => {
  expect(globPattern(text, 'win32').patterns).toEqual([path]);
  expect(globPattern(text, 'linux').patterns).toEqual([escaped, path]);
});
