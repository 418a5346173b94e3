import { systemTimers, type Timers } from '../../src/core/support/timer.js';
import { until } from './until.js';

/** Timers of the system, of which those of a minute and more go off when the test says so. */
export interface HeldTimers extends Timers {
  /** Calls back what waits for just so long, as soon as something does. */
  fire(delayMs: number): Promise<void>;
}

/** Makes them: a real command reaches its time limit when a test has seen what it waits for. */
export function heldTimers(): HeldTimers {
  const held = new Map<object, { readonly delayMs: number; readonly callback: () => void }>();
  const due = (wanted: number) => [...held].filter(([, { delayMs }]) => delayMs === wanted);
  return {
    ...systemTimers,
    set(callback, delayMs) {
      if (delayMs < 60_000) return systemTimers.set(callback, delayMs);
      const timer = {};
      held.set(timer, { delayMs, callback });
      return timer;
    },
    clear: (timer) => void (held.delete(timer as object) || systemTimers.clear(timer)),
    async fire(delayMs) {
      await until(() => due(delayMs).length > 0);
      for (const [timer, { callback }] of due(delayMs)) {
        held.delete(timer);
        callback();
      }
    },
  };
}
