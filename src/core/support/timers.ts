import { platform } from './timer.js';

/** The clock and the timers of the platform; tests replace them. */
export interface Timers {
  /** Monotonic milliseconds. */
  now(): number;
  set(callback: () => void, delayMs: number): unknown;
  clear(timer: unknown): void;
  /** From 0 up to 1, for the jitter of retries. */
  random(): number;
}

/** Monotonic time and real timers, which keep the process alive while they are pending. */
export const systemTimers: Timers = {
  now: () => performance.now(),
  ...platform,
  random: () => Math.random(),
};
