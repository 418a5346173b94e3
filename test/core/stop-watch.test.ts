import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { stopWatch } from '../../src/core/support/timers.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the time limit stops the work, and one longer than a timer allows waits', async () => {
  const short = stopWatch([], 50);
  vi.advanceTimersByTime(50);
  expect(await short.stopped).toBe('timeout');
  const { clear } = stopWatch([], 99_999_999_999);
  vi.advanceTimersByTime(2_000_000_000);
  expect(vi.getTimerCount()).toBe(1);
  clear();
  expect(vi.getTimerCount()).toBe(0);
});

test('any signal stops the work, an aborted one at once; clearing removes the listeners', async () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const watch = stopWatch([first.signal, second.signal], 1_000);
  second.abort();
  expect(await watch.stopped).toBe('abort');
  watch.clear();
  expect(getEventListeners(first.signal, 'abort')).toEqual([]);
  expect(await stopWatch([AbortSignal.abort()], 0).stopped).toBe('abort');
  expect(vi.getTimerCount()).toBe(0);
});

test('several watches of a signal share one listener, which stays until the last is cleared', async () => {
  const control = new AbortController();
  const listeners = () => getEventListeners(control.signal, 'abort').length;
  const watches = Array.from({ length: 50 }, () => stopWatch([control.signal], 0));
  expect(listeners()).toBe(1);
  for (const watch of watches.slice(0, 48)) watch.clear();
  watches[0]?.clear();
  expect(listeners()).toBe(1);
  control.abort();
  expect(await Promise.all(watches.slice(48).map(({ stopped }) => stopped))).toEqual(['abort', 'abort']);
  for (const watch of watches) watch.clear();
  expect(listeners()).toBe(0);
});
