import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splice } from '../../src/editing/splice/splice-text.js';

test('few replacements leave the untouched ranges where they are in memory', async () => {
  const bytes = Buffer.from('one two three');
  const slices = await splice(bytes, [{ start: 4, end: 7, bytes: Buffer.from('2') }]);
  expect(Buffer.concat(slices).toString()).toBe('one 2 three');
  expect(slices[0]?.buffer).toBe(bytes.buffer);
  expect(slices[2]?.buffer).toBe(bytes.buffer);
});

test('many replacements give the same bytes in few slices', async () => {
  const gaps = fc.array(fc.tuple(fc.nat(6), fc.nat(3), fc.string({ maxLength: 3 })), {
    minLength: 300,
    maxLength: 900,
  });
  await fc.assert(
    fc.asyncProperty(gaps, fc.nat(3), async (parts, large) => {
      let before = '';
      let after = '';
      const replacements = parts.map(([gap, length, inserted], index) => {
        const kept = 'k'.repeat(index % 200 === 0 ? large * 20_000 : gap);
        const start = before.length + kept.length;
        before += kept + 'o'.repeat(length);
        after += kept + inserted;
        return { start, end: start + length, bytes: Buffer.from(inserted) };
      });
      const slices = await splice(Buffer.from(before), replacements);
      expect(Buffer.concat(slices).equals(Buffer.from(after))).toBe(true);
      expect(slices.length).toBeLessThan(16);
    }),
    { numRuns: 50 },
  );
});
