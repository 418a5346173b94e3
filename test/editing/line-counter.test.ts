import { expect, test } from 'vitest';
import type { EncodingName } from '../../src/editing/encodings/encoding.js';
import { LineCounter } from '../../src/editing/match/line-counter.js';
import { eachRow } from '../support/each-row.js';

const text = Array.from({ length: 150_000 }, (_, index) => `${index} ${'.'.repeat((index * 37) % 90)}`).join('\n');
const yieldToLoop = async () => {};

test('tells the line of any offset in a large file', () =>
  eachRow<EncodingName>(['utf-8', 'utf-16le'], async (encoding) => {
    const bytes = Buffer.from(text, encoding === 'utf-8' ? 'utf8' : 'utf16le');
    const unit = encoding === 'utf-8' ? 1 : 2;
    const counter = new LineCounter({ bytes, encoding, start: 0 }, yieldToLoop);
    for (const offset of [0, 10, 3_000_000, 3_000_001, text.length - 1, 100_000]) {
      expect(await counter.lineAt(offset * unit), String(offset)).toBe(text.slice(0, offset).split('\n').length);
    }
  }));

test('lines are counted from where the text starts', async () => {
  const counter = new LineCounter({ bytes: Buffer.from(`\ufeff${text}`), encoding: 'utf-8', start: 3 }, yieldToLoop);
  expect(await counter.lineAt(3)).toBe(1);
  expect(await counter.lineAt(3 + text.length)).toBe(150_000);
});

test('other work gets its turn in between', async () => {
  let turns = 0;
  const counter = new LineCounter({ bytes: Buffer.from(text), encoding: 'utf-8', start: 0 }, async () => void turns++);
  await counter.lineAt(text.length);
  expect(turns).toBeGreaterThan(1);
});
