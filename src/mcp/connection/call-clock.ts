import type { Timers } from '../../core/support/timers.js';

export interface CallTimes {
  /** The time that may pass without a response or progress. */
  readonly inactivityMs: number;
  /** The maximum duration of the whole call. */
  readonly maxCallMs: number;
}

/**
 * Watches the time limits of one request. Progress restarts `inactivityMs`, but not `maxCallMs`. The time in which the
 * server waits for the client does not count as inactivity: `waitedUntil` returns when the server last stopped waiting,
 * or the present time while the server waits.
 */
export function callClock(
  timers: Timers,
  { inactivityMs, maxCallMs }: CallTimes,
  waitedUntil: () => number,
  onLate: (reason: string) => void,
) {
  const startedAt = timers.now();
  let lastSignAt = startedAt;
  let timer: unknown;
  const arm = () => {
    const due = Math.min(lastSignAt + inactivityMs, startedAt + maxCallMs);
    timer = timers.set(check, Math.max(1, due - timers.now()));
  };
  const check = () => {
    const now = timers.now();
    lastSignAt = Math.max(lastSignAt, waitedUntil());
    if (now >= startedAt + maxCallMs) onLate(`It took longer than ${Math.ceil(maxCallMs)} ms in total.`);
    else if (now >= lastSignAt + inactivityMs) onLate(`It sent no answer or progress for ${inactivityMs} ms.`);
    else arm();
  };
  arm();
  return {
    /** The server has sent progress. */
    restartInactivity: () => {
      lastSignAt = timers.now();
    },
    stop: () => timers.clear(timer),
  };
}
