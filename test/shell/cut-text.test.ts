import fc from 'fast-check';
import { expect, test } from 'vitest';
import { headOf, tailOf } from '../../src/shell/capture/cut-text.js';

test('head and tail keep within the limit, are parts of the text and never split a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.integer({ min: 1, max: 250 }), (text, maxChars) => {
      const whole = text.toWellFormed();
      const head = headOf(whole, maxChars);
      const tail = tailOf(whole, maxChars);
      expect(head.length).toBeLessThanOrEqual(maxChars);
      expect(tail.length).toBeLessThanOrEqual(maxChars);
      expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true);
      expect(head.isWellFormed() && tail.isWellFormed()).toBe(true);
      if (whole.length <= maxChars) expect([head, tail]).toEqual([whole, whole]);
    }),
  );
});

test('a cut near the end of a line moves there', () => {
  expect(headOf('first line\nsecond line\nthird', 24)).toBe('first line\nsecond line\n');
  expect(tailOf('first\nsecond line\nthird line', 24)).toBe('second line\nthird line');
});
