import { describe, expect, test } from 'vitest';
import { doubtfulWords, RedactionGuard } from '../../src/text/secrets/redaction-guard.js';

/** Hides what stands between `<` and `>`, with a mark that has a number where the secret is one. */
const scrub = (text: string) =>
  text.replace(/<(\w*)>/g, (_all, secret: string) =>
    /^\d+$/.test(secret) ? `[REDACTED:pin#${secret}]` : '[REDACTED]',
  );
const guard = (old: string) => new RedactionGuard(() => old, scrub);

describe('a text that replaces all of the old one', () => {
  test.each([
    ['the shown line of a secret', 'k=<abc>\n', 'k=[REDACTED]\n'],
    ['that line with the plain mark for another', 'k=<123>\n', 'k=[REDACTED]\n'],
    ['that line with another mark for the plain one', 'k=<abc>\n', 'k=[REDACTED:pin#1]\n'],
    ['that line in quotes', '"<abc>",\n', "'[redacted]'\n"],
    [
      'that line twice, where the old text holds it once',
      'k=[REDACTED]\nk=<abc>\n',
      'k=[REDACTED]\nk=[REDACTED]\nk=<abc>\n',
    ],
    ['that line, where the secret is gone', 'k=[REDACTED]\nk=<abc>\n', 'k=[REDACTED]\n'],
    [
      'a mark behind the same words, where the secret is gone',
      'a [REDACTED] k=<abc>\n',
      'a [REDACTED] k=[REDACTED] z\n',
    ],
    ['a mark behind many words', `${'word '.repeat(200)}<abc>\n`, `${'word '.repeat(200)}[REDACTED] z\n`],
  ])('is doubtful with %s', (_name, old, text) => {
    expect(guard(old).inWhole(text)).toMatchObject({ reason: 'hides' });
  });

  test.each([
    ['no mark', 'k=<abc>\n', 'k=\n'],
    ['a mark behind other words', 'k=<abc>\n', 'j=[REDACTED]\n'],
    ['a mark behind no word', '- <abc>\n', '- [REDACTED] is the mark\n'],
    ['a mark behind the same words, where the secret stays', 'k=<abc>\n', 'k=<abc>\nk=[REDACTED] z\n'],
    ['an old line as it is, where the secret is gone', 'k=[REDACTED] z\nk=<abc>\n', 'k=[REDACTED] z\n'],
    ['a mark on the line of a secret that stays', 'f(<abc>) == [REDACTED]\n', 'f(<abc>) is [REDACTED]\n'],
  ])('is not doubtful with %s', (_name, old, text) => {
    expect(guard(old).inWhole(text)).toBeUndefined();
  });
});

describe('a text of which a part was replaced', () => {
  const edited = (old: string, from: string, to: string) => guard(old).afterEdit(to, () => old.replace(from, to));

  test.each([
    ['with one more line like that of a secret', 'k=<abc>\nx\n', 'x', 'k = [REDACTED] z'],
    ['with a mark before the secret', 'k=<abc>\n', 'k=', 'k=[REDACTED]'],
    ['with a line that became just what was shown', 'k=[REDACTED] z\nk=<abc>\n', '[REDACTED] z', '[REDACTED]'],
  ])('is doubtful %s', (_name, old, from, to) => {
    expect(edited(old, from, to)).toMatchObject({ reason: 'hides' });
  });

  test('is not doubtful where the line stood there for itself', () => {
    expect(edited('k=[REDACTED] z\nk=<abc>\n', '[REDACTED] z', '[REDACTED] y')).toBeUndefined();
    expect(edited('f(<abc>) == [REDACTED]\n', '== [REDACTED]', 'is [REDACTED]')).toBeUndefined();
  });

  test('is not made where the part holds no mark', () => {
    const fail = () => {
      throw new Error('made');
    };
    expect(new RedactionGuard(fail, scrub).afterEdit('x', fail)).toBeUndefined();
  });
});

test('a text that was not found is told to be a hidden one only if it is', () => {
  const inMissing = (wanted: string) => guard('a\r\nk=<123>\r\nj=[REDACTED]\r\n').inMissing(wanted);
  expect(inMissing('a\nk=[REDACTED]\nj')).toBe('[REDACTED]');
  expect(inMissing('b\n k=[REDACTED:pin#123]')).toBe('[REDACTED:pin#123]');
  expect(inMissing('b\nj=[REDACTED]')).toBeUndefined();
  expect(inMissing('i=[REDACTED]')).toBeUndefined();
  expect(inMissing('b')).toBeUndefined();
});

test('nothing is doubtful where nothing is scrubbed', () => {
  const open = new RedactionGuard(() => 'k=<abc>', false);
  expect([
    open.inWhole('k=[REDACTED]'),
    open.afterEdit('k=[REDACTED]', () => 'k=[REDACTED]'),
    open.inMissing('k=[REDACTED]'),
  ]).toEqual([undefined, undefined, undefined]);
});

test('the words for it claim no secret of a text that was not checked', () => {
  const large = new RedactionGuard(() => `[REDACTED]${'x'.repeat(4_000_000)}`, scrub).inWhole('y [REDACTED]');
  expect(large).toEqual({ mark: '[REDACTED]', reason: 'too-large' });
  expect(doubtfulWords({ mark: '[REDACTED]', reason: 'too-large' }, '/f')).toContain(
    '/f is too large to be checked for secrets',
  );
  expect(doubtfulWords({ mark: '[REDACTED]', reason: 'hides' }, '/f')).toContain('may stand for a secret of /f');
});
