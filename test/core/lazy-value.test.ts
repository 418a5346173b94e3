import { expect, test } from 'vitest';
import { lazily } from '../../src/core/support/once.js';

test('a value is made once, at its first use', () => {
  let made = 0;
  const value = lazily(() => ({ number: ++made }));
  expect(made).toBe(0);
  expect(value()).toBe(value());
  expect(made).toBe(1);
});
