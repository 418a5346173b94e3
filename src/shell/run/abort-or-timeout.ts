import { onAbort } from '../../core/support/on-abort.js';
import { systemTimers, type Timers } from '../../core/support/timers.js';

/** Why a command is stopped early. */
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
