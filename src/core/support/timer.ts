import type { Timers } from './timers.js';

// A longer time makes the platform's timers fire at once.
const longestMs = 2_147_483_647;

/**
 * Calls back after a time. One that is longer than the platform's timers can be, Infinity included, is shortened to
 * about 25 days.
 */
export function startTimer(callback: () => void, delayMs: number): NodeJS.Timeout {
  return setTimeout(callback, Math.min(delayMs, longestMs));
}

type Waiting = Pick<Timers, 'set' | 'clear'>;

/** Timers of the platform, which keep the process alive. */
export const platform: Waiting = {
  set: startTimer,
  clear: (timer) => clearTimeout(timer as NodeJS.Timeout | undefined),
};

/** Takes from a timer of the platform that it keeps the process alive; one of a test does not. */
export function unrefTimer(timer: unknown): unknown {
  (timer as Partial<NodeJS.Timeout>).unref?.();
  return timer;
}

/**
 * Resolves after a time like that of {@link startTimer}, or as soon as the signal aborts. Leaves neither timer nor
 * listener behind.
 */
export function waitFor(delayMs: number, signal?: AbortSignal, timers: Waiting = platform): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      timers.clear(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = timers.set(end, delayMs);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
}

/** Resolves when some work has settled, at the latest after a time; leaves no timer behind. */
export async function atLatest(work: Promise<unknown>, delayMs: number): Promise<void> {
  const settled = new AbortController();
  const end = () => settled.abort();
  work.then(end, end);
  await waitFor(delayMs, settled.signal);
}

/** Resolves when everybody else who is waiting has had a turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
