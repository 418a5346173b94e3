import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checksumOf } from '../../src/files/read/content-checksum.js';
import { table } from '../support/each-row.js';

table([
  ['', '0-0'],
  // The published check value of CRC-32.
  ['123456789', `${(0xcbf43926).toString(36)}-9`],
])('the checksum is CRC-32 and size', (text, mark) => expect(checksumOf([Buffer.from(text)])).toBe(mark));

test('the checksum depends on every byte, but not on the chunks', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 300 }),
      fc.nat(),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      (bytes, cut, place, change) => {
        const whole = checksumOf([bytes]);
        const at = cut % bytes.length;
        expect(checksumOf([bytes.subarray(0, at), bytes.subarray(at)])).toBe(whole);
        const other = Uint8Array.from(bytes);
        other[place % bytes.length] = (bytes[place % bytes.length] ?? 0) ^ change;
        expect(checksumOf([other])).not.toBe(whole);
      },
    ),
  );
});
