import { expect, test } from 'vitest';
import { assertKnownKeys } from '../../src/core/support/check-values.js';

test('a misspelt key is rejected with similar names, a known one is accepted', () => {
  expect(() => assertKnownKeys('f', { tiemout: 1 }, { timeout: true })).toThrow(
    'f: tiemout is no option. Did you mean "timeout"?',
  );
  expect(() => assertKnownKeys('f', { timeout: undefined }, { timeout: true })).not.toThrow();
});

test('names of Object.prototype are not options', () => {
  expect(() => assertKnownKeys('f', JSON.parse('{"__proto__":1}'), { a: true })).toThrow('__proto__ is no option');
  expect(() => assertKnownKeys('f', { toString: 1 }, { a: true })).toThrow('toString is no option');
});
