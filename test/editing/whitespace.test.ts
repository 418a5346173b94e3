import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FileText } from '../../src/editing/match/file-text.js';
import { findByWhitespace } from '../../src/editing/match/find-by-whitespace.js';
import { runs } from '../support/runs.js';

const noYield = async () => {};
const textOf = (content: string) =>
  new FileText(Buffer.from(content), { name: 'utf-8', markBytes: 0, isDamaged: false });

/**
 * The places where each line of a block has its text, and all its non-empty lines have the same change of indentation.
 */
function expected(lines: readonly string[], wanted: readonly string[]): number[] {
  const places: number[] = [];
  for (let at = 0; at + wanted.length <= lines.length; at++) {
    const changes = new Set<string>();
    const fits = wanted.every((line, index) => {
      const there = lines[at + index] ?? '';
      if (there.trim() !== line.trim()) return false;
      if (line.trim() === '') return true;
      const [had, has] = [/^\s*/.exec(line)?.[0] ?? '', /^\s*/.exec(there)?.[0] ?? ''];
      const change = has.endsWith(had)
        ? `+${has.slice(0, has.length - had.length)}`
        : `-${had.slice(0, had.length - has.length)}`;
      changes.add(change === '-' ? '+' : change);
      return has.endsWith(had) || had.endsWith(has);
    });
    if (fits && changes.size === 1) places.push(at);
  }
  return places;
}

const line = fc
  .tuple(fc.constantFrom('', ' ', '  ', '\t', '\t '), fc.constantFrom('a', 'b', ''), fc.constantFrom('', ' '))
  .map((parts) => parts.join(''));

test('finds the blocks whose lines all moved by the same indentation', async () => {
  const blocks = fc
    .array(line, { minLength: 1, maxLength: 4 })
    .filter((lines) => lines.some((each) => each.trim() !== '') && lines.at(-1) !== '');
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 12 }), blocks, async (lines, wanted) => {
      const content = lines.map((each) => `${each}\n`).join('');
      const stored = textOf(content);
      const found = await findByWhitespace(stored, wanted.join('\n'), { overlapping: true, maxSpans: 100 }, noYield);
      const starts = lines.map((_each, index) => lines.slice(0, index).join('\n').length + Math.min(index, 1));
      expect(found.map(({ start }) => start)).toEqual(expected(lines, wanted).map((at) => starts[at]));
    }),
    { numRuns: runs(2_000) },
  );
});

test('many equal lines are compared in one pass that yields and can be aborted', async () => {
  const stored = textOf(',,,,\n'.repeat(200_000));
  const wanted = `${',,,,\n'.repeat(20_000)}x\n`;
  let yields = 0;
  const yieldToLoop = async () => {
    yields++;
  };
  expect(await findByWhitespace(stored, wanted, { overlapping: true, maxSpans: 2 }, yieldToLoop)).toEqual([]);
  expect(yields).toBeGreaterThan(500);
  const ended = findByWhitespace(stored, wanted, { overlapping: true, maxSpans: 2 }, () =>
    Promise.reject(new Error('ended')),
  );
  await expect(ended).rejects.toThrow('ended');
});
