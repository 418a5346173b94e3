import { describe, expect, test } from 'vitest';
import { andThen } from '../../src/pipeline/run/and-then.js';

describe('andThen', () => {
  test('goes on at once with a value that is there', () => {
    expect(andThen(20, (value) => value + 1)).toBe(21);
    expect(() =>
      andThen(20, () => {
        throw new RangeError('no');
      }),
    ).toThrow(RangeError);
  });

  test('goes on with a promised value when it comes', async () => {
    const next = andThen(Promise.resolve(20), (value) => value + 1);
    expect(next).toBeInstanceOf(Promise);
    expect(await next).toBe(21);
  });

  test('waits for what the next step promises', async () => {
    expect(await andThen(20, async (value) => value + 1)).toBe(21);
    expect(await andThen(Promise.resolve(20), async (value) => value + 1)).toBe(21);
  });

  test('passes a rejection on without taking the next step', async () => {
    let isTaken = false;
    const next = andThen(Promise.reject(new RangeError('no')), () => {
      isTaken = true;
    });
    await expect(next).rejects.toThrow(RangeError);
    expect(isTaken).toBe(false);
  });
});
