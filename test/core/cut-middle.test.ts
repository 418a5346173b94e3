import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutMiddle } from '../../src/core/text/cut.js';

test('a text below the limit is not cut', () => expect(cutMiddle('abc', 3)).toBeUndefined());

test('head and tail are whole lines if that costs little', () => {
  const text = Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n');
  const cut = cutMiddle(text, 300);
  expect(cut?.head.endsWith('\n')).toBe(true);
  expect(cut?.tail.startsWith('line ')).toBe(true);
});

test('a line break far from the cut does not shorten the text', () => {
  const { head, tail } = cutMiddle(`a\n${'b'.repeat(100)}\nc`, 30) ?? {};
  expect([head?.length, tail?.length]).toEqual([20, 10]);
});

test('omitted text is counted, the limit holds, and no character is split', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 400 }),
      fc.integer({ min: 3, max: 200 }),
      (text, maxChars) => {
        const cut = cutMiddle(text, maxChars);
        if (cut === undefined) return text.length <= maxChars;
        expect(cut.head.length + cut.omitted + cut.tail.length).toBe(text.length);
        expect(text.startsWith(cut.head) && text.endsWith(cut.tail)).toBe(true);
        expect(cut.head.length + cut.tail.length).toBeLessThanOrEqual(maxChars + 1);
        return cut.head.isWellFormed() && cut.tail.isWellFormed();
      },
    ),
  );
});
