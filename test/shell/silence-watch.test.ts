import { fakeTimers } from 'toolwright/testing';
import { expect, test } from 'vitest';
import { SilenceWatch } from '../../src/shell/run/silence-watch.js';

test('a silence of a minute is reported once, and again after output or typing', async () => {
  const timers = fakeTimers();
  let told = 0;
  const watch = new SilenceWatch(timers, () => void told++);
  const after = async (ms: number, size = 0) => {
    await timers.advance(ms);
    watch.look(size);
    return told;
  };
  expect(await after(59_999)).toBe(0);
  expect(await after(1)).toBe(1);
  expect(await after(60_000)).toBe(1);
  expect(await after(10, 10)).toBe(1);
  expect(await after(60_000, 10)).toBe(2);
  watch.restart();
  expect(await after(59_999, 10)).toBe(2);
  expect(await after(1, 10)).toBe(3);
});
