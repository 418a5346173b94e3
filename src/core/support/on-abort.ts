import { systemTimers, type Timers } from './timers.js';

const relays = new WeakMap<AbortSignal, ReturnType<typeof relay>>();

/**
 * Calls back when the signal aborts, at once if it has aborted; the returned function unsubscribes. All subscribers of
 * a signal share one listener, since Node warns of a leak at more than ten, which many turns or commands on one signal
 * would reach.
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

/** Settles as the work does, or as `instead` does if the signal aborts first. */
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
  // As with listeners of the signal itself, one that throws does not stop the others.
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

/** Why something is stopped early. */
export type StopReason = 'abort' | 'timeout';

/** Waits for an abort or the time limit, whichever comes first. */
export interface StopWatch {
  readonly stopped: Promise<StopReason>;
  /** Removes the timer and the listeners. */
  clear(): void;
}

/** `limitMs` 0 or Infinity: no time limit. */
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
