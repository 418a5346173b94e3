import { describe, expect, test } from 'vitest';
import { proceed } from '../../src/pipeline/run/proceed.js';

describe('proceed', () => {
  test('goes on at once with a value that is there', () => {
    expect(proceed(20, (value) => value + 1)).toBe(21);
    expect(() =>
      proceed(20, () => {
        throw new RangeError('no');
      }),
    ).toThrow(RangeError);
  });

  test('goes on with a promised value when it comes', async () => {
    const next = proceed(Promise.resolve(20), (value) => value + 1);
    expect(next).toBeInstanceOf(Promise);
    expect(await next).toBe(21);
  });

  test('waits for what the next step promises', async () => {
    expect(await proceed(20, async (value) => value + 1)).toBe(21);
    expect(await proceed(Promise.resolve(20), async (value) => value + 1)).toBe(21);
  });

  test('passes a rejection on without taking the next step', async () => {
    let isTaken = false;
    const next = proceed(Promise.reject(new RangeError('no')), () => {
      isTaken = true;
    });
    await expect(next).rejects.toThrow(RangeError);
    expect(isTaken).toBe(false);
  });
});
