import { expect, test } from 'vitest';
import { once } from '../../src/core/support/once.js';

test('simultaneous and later callers share one load', async () => {
  let loads = 0;
  const load = once(() => Promise.resolve({ number: ++loads }));
  const [first, second] = await Promise.all([load(), load()]);
  expect(first).toBe(second);
  expect(await load()).toBe(first);
  expect(loads).toBe(1);
});

test('a failed load is repeated by the next caller', async () => {
  let loads = 0;
  const load = once(() => (++loads === 1 ? Promise.reject(new Error('not yet')) : Promise.resolve(loads)));
  await expect(load()).rejects.toThrow('not yet');
  expect(await load()).toBe(2);
});
