import { describe, expect, test } from 'vitest';
import { safeCut } from '../../src/shell/output/cut-outside-secrets.js';
import { eachRow } from '../support/each-row.js';

const scrub = (text: string) => text.replaceAll('secret', '[gone]');
const cut = (text: string, wanted: number, furthest: number) => safeCut(Buffer.from(text), { wanted, furthest, scrub });

describe('a cut', () => {
  const rows = [
    ['after the line before', 'one\ntwo three', 9, 0, 4],
    ['after the line behind', 'one two\nthree', 2, 13, 8],
    ['after a word where no line ends near', 'one two three', 9, 5, 8],
    ['where it is wanted in one long word', 'abcdefghij', 5, 0, 5],
    ['beside a character, not in it', 'ab日本', 4, 0, 2],
    ['beside a secret, not in it', 'xxsecretsecretxx', 11, 0, 8],
    ['behind a secret', 'xxsecretsecretxx', 5, 16, 8],
  ] as const;
  test('is made at the nearest place outside a secret', () =>
    eachRow(rows, ([, text, wanted, furthest, at]) => expect(cut(text, wanted, furthest)).toBe(at)));

  test('is not made if every place is inside a secret', () => expect(cut('xxsecretxx', 5, 4)).toBeUndefined());
});
