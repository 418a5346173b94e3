import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeText } from '../../src/editing/encodings/encoding.js';
import { findExact, type Span, searchLines } from '../../src/editing/match/exact.js';
import { lineBreakPattern, type StoredText } from '../../src/editing/match/newlines.js';
import { eachRow } from '../support/each-row.js';
import { runs } from '../support/runs.js';

const noYield = async () => {};

function stored(content: string, encoding: StoredText['encoding']): StoredText {
  return { bytes: encodeText(content, encoding) ?? Buffer.of(), encoding, start: 0 };
}

/** What a search means: the lines one after the other, with any line break of the file between them. */
function expected(text: StoredText, content: string, wanted: string, overlapping: boolean): Span[] {
  const unit = text.encoding === 'utf-16be' ? 2 : 1;
  const lines = searchLines(wanted);
  const escaped = lines.map((line) => line.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const pattern = new RegExp(escaped.join(lines.length > 1 ? lineBreakPattern(text) : ''), 'g');
  const spans: Span[] = [];
  for (let match = pattern.exec(content); match !== null; match = pattern.exec(content)) {
    spans.push({ start: match.index * unit, end: (match.index + match[0].length) * unit });
    if (overlapping) pattern.lastIndex = match.index + 1;
  }
  return spans;
}

const texts = (letters: readonly string[]) =>
  fc.array(fc.constantFrom(...letters), { maxLength: 40 }).map((parts) => parts.join(''));
// A text that ends with a carriage return would be half a line break of most files.
const wanteds = fc
  .array(fc.constantFrom('a', 'b', '\n', '\r\n'), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join(''));

test('finds what a pattern finds, in all kinds of text with any line breaks', () =>
  eachRow(['utf-8', 'utf-16be'], async (encoding) => {
    const content = fc.oneof(
      texts(['a', 'b', '\n']),
      texts(['a', '\r\n', '\n', 'aab\r\n']),
      texts(['a', 'b', '\r']),
      texts(['a', '\r', '\n']),
    );
    await fc.assert(
      fc.asyncProperty(content, wanteds, fc.boolean(), async (text, wanted, overlapping) => {
        const file = stored(text, encoding);
        const found = await findExact(file, wanted, { overlapping, maxSpans: 100 }, noYield);
        expect(found).toEqual(expected(file, text, wanted, overlapping));
      }),
      { numRuns: runs(1_000) },
    );
  }));

test('a file that repeats what is wanted but for its middle is searched in one walk', async () => {
  const half = 'a\n'.repeat(20_000);
  const wanted = `${half}b\n${half}`;
  for (const content of ['a\n'.repeat(2_000_000), 'a\r\n'.repeat(1_000_000)]) {
    expect(await findExact(stored(content, 'utf-8'), wanted, { overlapping: true, maxSpans: 2 }, noYield)).toEqual([]);
    const there = stored(`${content.slice(0, 90_000)}${wanted}`, 'utf-8');
    expect(await findExact(there, wanted, { overlapping: true, maxSpans: 2 }, noYield)).toHaveLength(1);
  }
});

test('every match on one long line of Japanese is found, and no half characters', async () => {
  const count = 100_000;
  const file = stored('表示a'.repeat(count), 'shift_jis');
  expect(await findExact(file, '示', { overlapping: false, maxSpans: Number.POSITIVE_INFINITY }, noYield)).toHaveLength(
    count,
  );
  expect(await findExact(file, '\\', { overlapping: false, maxSpans: Number.POSITIVE_INFINITY }, noYield)).toEqual([]);
});
