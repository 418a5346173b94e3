import type { Timers } from './timers.js';

// Timers of Node with a longer delay fire at once.
const longestMs = 2_147_483_647;

/**
 * Calls back after a delay. A delay above the maximum of Node's timers, also Infinity, becomes that maximum of about 25
 * days.
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

/** Lets the process exit although the timer is pending. Timers of tests have no `unref` and stay as they are. */
export function unrefTimer(timer: unknown): unknown {
  (timer as Partial<NodeJS.Timeout>).unref?.();
  return timer;
}

/** Resolves after a delay, see {@link startTimer}, or when the signal aborts. Removes its timer and listener. */
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

/** Resolves when the work has settled, or after the delay. Removes its timer. */
export async function atLatest(work: Promise<unknown>, delayMs: number, timers: Waiting = platform): Promise<void> {
  const settled = new AbortController();
  const end = () => settled.abort();
  work.then(end, end);
  await waitFor(delayMs, settled.signal, timers);
}

/** The result of `work` within `limitMs`, or undefined; a later result is dropped. */
export async function answeredWithin<Value>(
  work: Promise<Value>,
  limitMs: number,
  timers: Waiting = platform,
): Promise<Value | undefined> {
  const timer = new AbortController();
  try {
    return await Promise.race([work, waitFor(limitMs, timer.signal, timers).then(() => undefined)]);
  } finally {
    timer.abort();
  }
}

/** Resolves in the next turn of the event loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
