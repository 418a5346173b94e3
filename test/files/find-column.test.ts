import { expect, test } from 'vitest';
import { detectEncoding } from '../../src/editing/encodings/encoding.js';
import { findColumn, LineIndex } from '../../src/files/read/line-positions.js';
import type { OpenFile } from '../../src/index.js';
import { table } from '../support/each-row.js';

function opened(bytes: Buffer) {
  let read = 0;
  const stat = { path: '/a', kind: 'file', size: bytes.length, mtimeMs: 1, mode: 0o644, version: '1' } as const;
  const file: OpenFile = {
    stat,
    read: async (buffer, position) => {
      const count = bytes.copy(buffer, 0, position, position + buffer.length);
      read += count;
      return count;
    },
    close: async () => {},
  };
  const encoding = detectEncoding(bytes.subarray(0, 65_536), false);
  if (encoding === undefined) throw new Error('no text');
  const { signal } = new AbortController();
  const text = { file, encoding, buffer: Buffer.alloc(65_536), counter: undefined, index: new LineIndex(), signal };
  const at = (column: number) => findColumn(text, { line: 1, position: encoding.markBytes }, column);
  return { at, bytesRead: () => read };
}

const content = Array.from({ length: 300_000 }, (_, index) => `${index}\u00e4\u4e2d\u{1f44d}`).join(' ');

table([
  ['UTF-8', Buffer.from(content), (bytes: Buffer) => bytes.toString('utf8').length],
  ['UTF-8 with a mark', Buffer.from(`\ufeff${content}`), (bytes: Buffer) => bytes.toString('utf8').length - 1],
  ['UTF-16', Buffer.from(`\ufeff${content}`, 'utf16le'), (bytes: Buffer) => bytes.length / 2 - 1],
  ['UTF-16 big-endian', Buffer.from(`\ufeff${content}`, 'utf16le').swap16(), (bytes: Buffer) => bytes.length / 2 - 1],
  ['Latin-1', Buffer.from('\u00e4 b'.repeat(800_000), 'latin1'), (bytes: Buffer) => bytes.length],
])(
  'in each encoding every place lies on a character, near the column and not behind it',
  async (_name, bytes, unitsOf) => {
    const { at } = opened(bytes);
    for (const column of [1, 2, 70_000, 70_001, 1_000_000, 999_999, 2_000_000, 70_000]) {
      const mark = await at(column);
      expect(unitsOf(bytes.subarray(0, mark.position))).toBe(mark.column - 1);
      expect(mark.column).toBeLessThanOrEqual(column);
      expect(column - mark.column).toBeLessThan(65_536);
    }
  },
);

test('pages of one long line cost their own bytes, not those of all before them', async () => {
  const { at, bytesRead } = opened(Buffer.alloc(10_000_000, 'x'));
  for (let column = 1; column < 10_000_000; column += 100_000) await at(column);
  expect(bytesRead()).toBeLessThan(100 * 1_300_000);
});

test('the search ends with the line', async () => {
  const { at } = opened(Buffer.from(`${'x'.repeat(100_000)}\n${'y'.repeat(1_000_000)}`));
  expect((await at(900_000)).position).toBeLessThanOrEqual(100_000);
});
