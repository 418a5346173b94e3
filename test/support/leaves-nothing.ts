import { afterAll, beforeAll, expect, vi } from 'vitest';

// Test files run one after the other in the same process, so permanent changes by one file would affect the next.
const state = () => ({ env: { ...process.env }, cwd: process.cwd() });

let before: ReturnType<typeof state>;
beforeAll(() => {
  before = state();
});
afterAll(() => {
  expect(state()).toEqual(before);
  expect(vi.isFakeTimers(), 'fake timers are put back').toBe(false);
  for (const value of [
    setTimeout,
    clearTimeout,
    setInterval,
    setImmediate,
    Date,
    fetch,
    process.kill,
    process.emitWarning,
  ]) {
    expect(vi.isMockFunction(value) || 'clock' in value, `${value.name} is put back`).toBe(false);
  }
});
