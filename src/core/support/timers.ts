import { platform } from './timer.js';

/** What is needed of the platform to keep time; replaced in tests. */
export interface Timers {
  /** Monotonic milliseconds. */
  now(): number;
  set(callback: () => void, delayMs: number): unknown;
  clear(timer: unknown): void;
  /** From 0 up to 1, for the spread of retries. */
  random(): number;
}

/** Monotonic time and real timers, which keep the process alive until the run has its answers. */
export const systemTimers: Timers = {
  now: () => performance.now(),
  ...platform,
  random: () => Math.random(),
};
