import { expect, test } from 'vitest';
import { loadPicomatch } from '../../src/text/load-picomatch.js';

test('the matcher knows braces and double stars', () => {
  const matches = loadPicomatch()('/w/**/*.{ts,js}');
  expect(['/w/a/b.ts', '/w/c.js', '/w/a/b.css'].map((path) => matches(path))).toEqual([true, true, false]);
});
