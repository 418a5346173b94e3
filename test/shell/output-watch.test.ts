import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { OutputWatch } from '../../src/shell/output/watch-size.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watched(maxBytes = 1_000) {
  const seen = { size: 0, maxBytes, looks: 0, look: () => void seen.looks++ };
  return seen;
}

test('one timer checks all watched files, and none runs without them', () => {
  const watch = new OutputWatch(100);
  expect(vi.getTimerCount()).toBe(0);
  const [first, second] = [watched(), watched()];
  const [dropFirst, dropSecond] = [watch.add(first), watch.add(second)];
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(250);
  expect([first.looks, second.looks]).toEqual([2, 2]);
  dropFirst();
  vi.advanceTimersByTime(100);
  expect([first.looks, second.looks]).toEqual([2, 3]);
  dropSecond();
  expect(vi.getTimerCount()).toBe(0);
});

test('a file near its limit is checked more often', () => {
  const watch = new OutputWatch(100);
  const fast = watched(1_000);
  const drop = watch.add(fast);
  fast.size = 600;
  vi.advanceTimersByTime(100);
  vi.advanceTimersByTime(10);
  expect(fast.looks).toBe(2);
  drop();
});

test('a file that is removed during a check is not checked again', () => {
  const watch = new OutputWatch(100);
  const once = watched();
  let drop = () => {};
  const look = () => {
    once.look();
    drop();
  };
  drop = watch.add({ ...once, look });
  vi.advanceTimersByTime(500);
  expect(once.looks).toBe(1);
  expect(vi.getTimerCount()).toBe(0);
});
