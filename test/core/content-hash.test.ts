import { expect, test } from 'vitest';
import { hashBytes, stableHash } from '../../src/core/text/content-hash.js';

test('a hash of slices equals the hash of the whole', () => {
  const parts = ['ab', '', 'c'].map((part) => Buffer.from(part));
  expect(hashBytes(parts)).toBe(hashBytes([Buffer.from('abc')]));
  expect(hashBytes(parts)).not.toBe(hashBytes([Buffer.from('abd')]));
});

test('the hash of a value ignores the order of fields, and distinguishes lists from objects', () => {
  expect(stableHash({ a: 1, b: { c: 2, d: 3 } })).toBe(stableHash({ b: { d: 3, c: 2 }, a: 1 }));
  expect(stableHash([1, 2])).not.toBe(stableHash([2, 1]));
  expect(stableHash({})).not.toBe(stableHash([]));
  expect(stableHash(undefined)).not.toBe(stableHash(null));
  expect(stableHash({ a: 1 })).not.toBe(stableHash([['a', 1]]));
});
