import { describe, expect, it } from 'vitest';
import { restoreSecrets } from '../../src/core/text/redaction-marks.js';
import { table } from '../support/each-row.js';

const secrets = new Map([
  ['[REDACTED:jwt#1]', 'ONE'],
  ['[REDACTED:jwt#2]', 'TWO'],
]);
const restore = (text: string, file: string) =>
  restoreSecrets(
    text,
    (part) => file.includes(part),
    (mark) => secrets.get(mark),
  );

describe('restoreSecrets', () => {
  table([
    ['no mark', 'a [x] b', '', 'a [x] b', []],
    ['a secret that the file holds', 'k=[REDACTED:jwt#1]', 'key: ONE', 'k=ONE', []],
    ['two of them, one twice', '[REDACTED:jwt#2][REDACTED:jwt#1][REDACTED:jwt#2]', 'ONE TWO', 'TWOONETWO', []],
    ['a secret that the file does not hold', 'k=[REDACTED:jwt#1]', 'TWO', 'k=[REDACTED:jwt#1]', ['[REDACTED:jwt#1]']],
    ['a mark that nobody gave', 'k=[REDACTED:jwt#3]', 'ONE', 'k=[REDACTED:jwt#3]', ['[REDACTED:jwt#3]']],
    ['a mark without a number', 'k=[REDACTED]', 'ONE', 'k=[REDACTED]', ['[REDACTED]']],
    ['a mark that the file holds as text', 'k=[REDACTED]', 'k: [REDACTED]', 'k=[REDACTED]', []],
    ['a mark that could be either', 'k=[REDACTED:jwt#1]', '[REDACTED:jwt#1] ONE', 'k=ONE', ['[REDACTED:jwt#1]']],
    ['a mark that is not closed', 'k=[REDACTED', 'ONE', 'k=[REDACTED', ['[REDACTED']],
    ['a mark with a number that is not closed', '"[REDACTED:jwt#1', 'ONE', '"[REDACTED:jwt#1', ['[REDACTED:jwt#1']],
    ['a mark that is broken over lines', '[REDACTED:jwt\n#1]', 'ONE', '[REDACTED:jwt\n#1]', ['[REDACTED:jwt']],
    ['a mark in small letters', 'k=[redacted]', 'ONE', 'k=[redacted]', ['[redacted]']],
    ['a mark with blanks', 'k=[ Redacted ]', 'ONE', 'k=[ Redacted ]', ['[ Redacted ]']],
    ['a number in small letters', 'k=[redacted:jwt#1]', 'ONE', 'k=[redacted:jwt#1]', ['[redacted:jwt#1]']],
    ['what is like a mark and in the file', 'k=[redacted', 'k=[redacted]', 'k=[redacted', []],
    ['a longer word', 'k[redactedName]', 'ONE', 'k[redactedName]', []],
  ])('each mark is replaced or reported', (_name, text, file, restored, foreign) =>
    expect(restore(text, file)).toEqual({ text: restored, foreign }),
  );

  it('text like a mark is literal in a new file', () => {
    expect(restoreSecrets("censor: '[Redacted]'", () => false).foreign).toEqual([]);
    expect(restoreSecrets('k=[REDACTED:jwt#1', () => false).foreign).toEqual(['[REDACTED:jwt#1']);
  });

  it('without stored secrets there are no marks', () =>
    expect(restoreSecrets('[REDACTED:jwt#1]', () => false).foreign).toEqual(['[REDACTED:jwt#1]']));
});
