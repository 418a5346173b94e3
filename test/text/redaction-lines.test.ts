import { expect, test } from 'vitest';
import { hidingLines, linesOf, markedLines } from '../../src/text/secrets/redaction-lines.js';

test('lines end at a break of any kind', () => {
  expect(linesOf('a\r\nb\rc\nd\u2028e')).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('each line with a mark of any form is found once', () => {
  const text = 'a\r  k = "[REDACTED:jwt#1]", [REDACTED]\rb\n[ redacted ]\n[info]\n[REDACTED';
  expect(markedLines(text).map(({ text: line, mark, form }) => [line, mark, form])).toEqual([
    ['k = "[REDACTED:jwt#1]", [REDACTED]', '[REDACTED:jwt#1]', 'k=[REDACTED],[REDACTED]'],
    ['[ redacted ]', '[ redacted ]', '[REDACTED]'],
    ['[REDACTED', '[REDACTED', '[REDACTED]'],
  ]);
});

test('a line that was shown otherwise is known by its shown form, and by the words before what was hidden', () => {
  const [hiding, ...more] = hidingLines('x\n[REDACTED] k: abc;\n', 'x\n[REDACTED] k: [REDACTED:pin#1];\n') ?? [];
  expect(more).toEqual([]);
  expect(hiding).toMatchObject({ text: '[REDACTED] k: abc;', form: '[REDACTED]k:[REDACTED]' });
  const alike = (line: string) =>
    markedLines(line)[0]
      ?.keys()
      .some((key) => hiding?.keys.includes(key));
  expect(
    ['[REDACTED] k: [REDACTED]', '[REDACTED] k:"[REDACTED]" z', 'k: [REDACTED]', '[REDACTED] j'].map(alike),
  ).toEqual([true, true, false, false]);
});

test('lines that do not go with each other tell nothing', () => {
  expect(hidingLines('a\nb', 'a')).toBeUndefined();
  expect(hidingLines('a\nb', '[text withheld: it could not be checked for credentials]\n')).toBeUndefined();
  expect(hidingLines('a\nb', 'a\nb')).toEqual([]);
});
