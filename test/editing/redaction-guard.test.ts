import { describe, expect, test } from 'vitest';
import { doubtfulMark, doubtfulWords, markInMissing } from '../../src/editing/redaction-guard.js';
import { table } from '../support/each-row.js';

/** Hides text between `<` and `>`. The mark has a number if the secret is a number. */
const scrub = (text: string) =>
  text.replace(/<(\w*)>/g, (_all, secret: string) =>
    /^\d+$/.test(secret) ? `[REDACTED:pin#${secret}]` : '[REDACTED]',
  );
const doubtful = (old: string, text: string) => doubtfulMark(text, () => old, scrub);

describe('a new text', () => {
  table([
    ['the shown line of a secret', 'k=<abc>\n', 'k=[REDACTED]\n'],
    ['that line with the plain mark for another', 'k=<123>\n', 'k=[REDACTED]\n'],
    ['that line in quotes', '"<abc>",\n', "'[redacted]'\n"],
    ['more lines with a mark than before', 'k=[REDACTED]\nk=<abc>\n', 'k=[REDACTED]\nk=[REDACTED]\n'],
    ['a mark on another line', 'k=[REDACTED]\nk=<abc>\n', 'j=[REDACTED]\nk=<abc>\n'],
  ])('is rejected if a mark may mean another secret', (_name, old, text) =>
    expect(doubtful(old, text)).toMatch(/^\[redacted\]$/i),
  );

  table([
    ['no mark', 'k=<abc>\n', 'k=\n'],
    ['the lines with marks as they were', 'k=[REDACTED]\nk=<abc>\n', '  k=[REDACTED]\r\nx\n'],
    ['any mark where nothing is hidden', 'k=[REDACTED]\n', 'j=[REDACTED]\nk=[REDACTED]\n'],
  ])('is accepted otherwise', (_name, old, text) => expect(doubtful(old, text)).toBeUndefined());

  test('with a mark is rejected if the old text is too large or cannot be scrubbed', () => {
    const large = () => `[REDACTED]${'x'.repeat(4_000_000)}`;
    expect(doubtfulMark('y [REDACTED]', large, scrub)).toBe('[REDACTED]');
    const fails = () => {
      throw new Error('broken');
    };
    expect(doubtfulMark('y [REDACTED]', () => 'a', fails)).toBe('[REDACTED]');
    expect(doubtfulWords('[REDACTED]', '/f')).toContain('The line with [REDACTED] is not in /f');
  });
});

test('an old text that is not found is reported as hidden only if it is', () => {
  const inMissing = (wanted: string) => markInMissing(wanted, () => 'a\r\nk=<123>\r\nj=[REDACTED]\r\n', scrub);
  expect(inMissing('a\nk=[REDACTED]\nj')).toBe('[REDACTED]');
  expect(inMissing(' k=[REDACTED:pin#123]')).toBe('[REDACTED:pin#123]');
  expect(inMissing('i=[REDACTED]')).toBeUndefined();
  expect(inMissing('b')).toBeUndefined();
});

test('without a scrubber nothing is rejected', () => {
  const old = () => 'k=<abc>';
  expect(doubtfulMark('k=[REDACTED]', old, false)).toBeUndefined();
  expect(markInMissing('k=[REDACTED]', old, false)).toBeUndefined();
});
