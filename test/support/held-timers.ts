import { systemTimers, type Timers } from '../../src/core/support/timers.js';
import { until } from './until.js';

/** System timers. Those of a minute and more fire when the test says so. */
export interface HeldTimers extends Timers {
  /** Fires the timer with exactly this time, as soon as there is one. */
  fire(delayMs: number): Promise<void>;
}

/** Makes such timers, so that a real command reaches its time limit when the test decides. */
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
