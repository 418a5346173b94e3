import { expect, test } from 'vitest';
import { hashBytes } from '../../src/core/text/content-hash.js';

test('slices are hashed as the whole they make', () => {
  const parts = ['ab', '', 'c'].map((part) => Buffer.from(part));
  expect(hashBytes(parts)).toBe(hashBytes([Buffer.from('abc')]));
  expect(hashBytes(parts)).not.toBe(hashBytes([Buffer.from('abd')]));
});
