/** The clock and the timers of the platform; tests replace them. */
export interface Timers {
  /** Monotonic milliseconds. */
  now(): number;
  set(callback: () => void, delayMs: number): unknown;
  clear(timer: unknown): void;
  /** From 0 up to 1, for the jitter of retries. */
  random(): number;
}

// Node fires a timer with a longer delay at once.
const longestMs = 2_147_483_647;

/**
 * Calls back after a delay. A delay above the maximum of Node's timers, Infinity included, is reduced to that maximum
 * of about 25 days.
 */
export function startTimer(callback: () => void, delayMs: number): NodeJS.Timeout {
  return setTimeout(callback, Math.min(delayMs, longestMs));
}

type Waiting = Pick<Timers, 'set' | 'clear'>;

const platform: Waiting = {
  set: startTimer,
  clear: (timer) => clearTimeout(timer as NodeJS.Timeout | undefined),
};

/** Monotonic time and real timers, which keep the process alive while they are pending. */
export const systemTimers: Timers = {
  now: () => performance.now(),
  ...platform,
  random: () => Math.random(),
};

/** Lets the process exit while the timer is pending. Timers of tests have no `unref` and are not changed. */
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
  await answeredWithin(
    work.catch(() => {}),
    delayMs,
    timers,
  );
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

const relays = new WeakMap<AbortSignal, ReturnType<typeof relay>>();

/**
 * Calls back when the signal aborts, at once if it has aborted; the returned function unsubscribes. All subscribers of
 * a signal share one listener. Node warns of a leak above ten listeners, and many turns or commands on one signal would
 * exceed that number.
 */
export function onAbort(signal: AbortSignal, callBack: () => void): () => void {
  const { calls, tell } = relays.get(signal) ?? relay();
  // The same function may subscribe twice.
  const own = () => callBack();
  if (signal.aborted) own();
  else if (calls.add(own).size === 1) signal.addEventListener('abort', tell, { once: true });
  relays.set(signal, { calls, tell });
  return () => {
    if (calls.delete(own) && calls.size === 0) signal.removeEventListener('abort', tell);
  };
}

/** Settles like `work`, or with the result of `instead` if the signal aborts first. */
export function unlessAborted<Value, Instead>(
  work: Promise<Value>,
  signal: AbortSignal,
  instead: () => Instead,
): Promise<Value | Instead> {
  let stop = () => {};
  const aborted = new Promise<void>((resolve) => {
    stop = onAbort(signal, resolve);
  });
  return Promise.race([work, aborted.then(instead)]).finally(() => stop());
}

function relay() {
  const calls = new Set<() => void>();
  // A subscriber that throws does not stop the others, as with listeners of the signal itself.
  const tell = () => {
    const failures: unknown[] = [];
    for (const call of calls) {
      try {
        call();
      } catch (thrown) {
        failures.push(thrown);
      }
    }
    if (failures.length > 0) throw failures[0];
  };
  return { calls, tell };
}

/** Why work is stopped early. */
export type StopReason = 'abort' | 'timeout';

/** Waits for an abort or the time limit, whichever comes first. */
interface StopWatch {
  readonly stopped: Promise<StopReason>;
  /** Removes the timer and the listeners. */
  clear(): void;
}

/** Starts a watch. A `limitMs` of 0 or Infinity means no time limit. */
export function stopWatch(signals: readonly AbortSignal[], limitMs: number, timers: Timers = systemTimers): StopWatch {
  let clear = () => {};
  const stopped = new Promise<StopReason>((resolve) => {
    const hasLimit = limitMs > 0 && limitMs < Number.POSITIVE_INFINITY;
    const timer = hasLimit ? timers.set(() => resolve('timeout'), limitMs) : undefined;
    const leave = signals.map((signal) => onAbort(signal, () => resolve('abort')));
    clear = () => {
      timers.clear(timer);
      for (const unlisten of leave) unlisten();
    };
  });
  return { stopped, clear };
}
