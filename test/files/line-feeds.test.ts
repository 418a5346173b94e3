import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineFeedCounter } from '../../src/editing/encodings/line-feed-counter.js';
import { skipLineFeeds } from '../../src/files/read/line-positions.js';

const counter = lineFeedCounter();

/** Lines of all lengths, up to the size of the memory of a counter. */
const block = fc
  .record({
    lengths: fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 200 }),
    repeats: fc.integer({ min: 1, max: 8 }),
  })
  .map(({ lengths, repeats }) =>
    Buffer.from(
      lengths
        .map((length) => `${'x'.repeat(length)}\n`)
        .join('')
        .repeat(repeats)
        .slice(0, 262_144),
    ),
  );

test('skips the same line feeds with a counter as without', () => {
  fc.assert(
    fc.property(block, fc.integer({ min: 1, max: 2_000 }), (bytes, count) => {
      bytes.copy(counter?.memory ?? Buffer.alloc(0));
      expect(skipLineFeeds(bytes, count, 'utf-8', counter)).toEqual(skipLineFeeds(bytes, count, 'utf-8'));
    }),
    { numRuns: 500 },
  );
});

test('ends right after the requested line feed, or after the last one', () => {
  const bytes = Buffer.from('one\ntwo\nthree');
  bytes.copy(counter?.memory ?? Buffer.alloc(0));
  for (const with_ of [counter, undefined]) {
    expect(skipLineFeeds(bytes, 1, 'utf-8', with_)).toEqual({ found: 1, end: 4 });
    expect(skipLineFeeds(bytes, 2, 'utf-8', with_)).toEqual({ found: 2, end: 8 });
    expect(skipLineFeeds(bytes, 3, 'utf-8', with_)).toEqual({ found: 2, end: 8 });
    expect(skipLineFeeds(bytes.subarray(0, 3), 1, 'utf-8', with_)).toEqual({ found: 0, end: 0 });
  }
});

test('a line feed in UTF-16 has two bytes, and the counter does not confuse them', () => {
  const bytes = Buffer.from('\u0a0a\n\u010a\n', 'utf16le');
  expect(skipLineFeeds(bytes, 2, 'utf-16le', counter)).toEqual({ found: 2, end: bytes.length });
  expect(skipLineFeeds(Buffer.from(bytes).swap16(), 2, 'utf-16be', counter)).toEqual({ found: 2, end: bytes.length });
});
