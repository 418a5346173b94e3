/** Why a command is to end before it has. */
export type StopReason = 'abort' | 'timeout';

/** Waits for a signal or a time limit, whichever comes first. */
export interface StopWatch {
  readonly stopped: Promise<StopReason>;
  /** Takes the timer and the listener away. */
  clear(): void;
}

const longestTimerMs = 2_147_483_647;

/** `limitMs` 0 or Infinity: no time limit. A limit longer than a timer can be is shortened to about 25 days. */
export function stopWatch(signals: readonly AbortSignal[], limitMs: number): StopWatch {
  let clear = () => {};
  const stopped = new Promise<StopReason>((resolve) => {
    const onAbort = () => resolve('abort');
    const hasLimit = limitMs > 0 && limitMs < Number.POSITIVE_INFINITY;
    const timer = hasLimit ? setTimeout(() => resolve('timeout'), Math.min(limitMs, longestTimerMs)) : undefined;
    for (const signal of signals) signal.addEventListener('abort', onAbort, { once: true });
    if (signals.some((signal) => signal.aborted)) onAbort();
    clear = () => {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', onAbort);
    };
  });
  return { stopped, clear };
}
