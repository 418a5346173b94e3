import { fakeTimers } from 'toolwright/testing';
import { expect, test } from 'vitest';
import { SilenceWatch, type TerminalWait } from '../../src/shell/run/waits-for-input.js';

function world() {
  const timers = fakeTimers();
  const told: TerminalWait[] = [];
  const state = { wait: 'yes' as TerminalWait, size: 0, looks: 0 };
  const watch = new SilenceWatch({
    timers,
    waitsForInput: () => {
      state.looks++;
      return state.wait;
    },
    tell: (wait) => void told.push(wait),
  });
  const after = async (ms: number) => {
    await timers.advance(ms);
    watch.look(state.size);
  };
  return { told, state, watch, after };
}

test('a silence of a minute is told once, and again after output or typing', async () => {
  const { told, state, watch, after } = world();
  await after(59_999);
  expect(told).toEqual([]);
  await after(1);
  expect(told).toEqual(['yes']);
  await after(60_000);
  await after(60_000);
  expect(told).toEqual(['yes']);
  state.size = 10;
  await after(10);
  state.wait = 'unknown';
  await after(60_000);
  expect(told).toEqual(['yes', 'unknown']);
  watch.restart();
  await after(60_000);
  expect(told).toEqual(['yes', 'unknown', 'unknown']);
});

test('a command that works is left in peace, and looked at once a minute', async () => {
  const { told, state, after } = world();
  state.wait = 'no';
  for (let look = 0; look < 12; look++) await after(10_000);
  expect([told, state.looks]).toEqual([[], 2]);
  state.wait = 'yes';
  await after(60_000);
  expect(told).toEqual(['yes']);
});
