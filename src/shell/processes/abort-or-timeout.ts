import { systemTimers, type Timers } from '../../core/support/timers.js';

/** Why a command is to end before it has. */
export type StopReason = 'abort' | 'timeout';

/** Waits for a signal or a time limit, whichever comes first. */
export interface StopWatch {
  readonly stopped: Promise<StopReason>;
  /** Takes the timer and the listener away. */
  clear(): void;
}

/** `limitMs` 0 or Infinity: no time limit. */
export function stopWatch(signals: readonly AbortSignal[], limitMs: number, timers: Timers = systemTimers): StopWatch {
  let clear = () => {};
  const stopped = new Promise<StopReason>((resolve) => {
    const onAbort = () => resolve('abort');
    const hasLimit = limitMs > 0 && limitMs < Number.POSITIVE_INFINITY;
    const timer = hasLimit ? timers.set(() => resolve('timeout'), limitMs) : undefined;
    for (const signal of signals) signal.addEventListener('abort', onAbort, { once: true });
    if (signals.some((signal) => signal.aborted)) onAbort();
    clear = () => {
      timers.clear(timer);
      for (const signal of signals) signal.removeEventListener('abort', onAbort);
    };
  });
  return { stopped, clear };
}
