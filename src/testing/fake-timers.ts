import { assertArgument, kindOf } from '../core/support/check-values.js';
import type { Timers } from '../core/support/timers.js';

/** A clock that moves only by `advance`, for `createToolkit({ timers })` and other options `timers`. */
export interface FakeTimers extends Timers {
  /** The number of pending timers. */
  readonly pending: number;
  /** The time until each timer is due, in milliseconds, in order. */
  readonly waits: readonly number[];
  /** Advances the clock, runs due timers in order, and lets promises settle in between. */
  advance(ms: number): Promise<void>;
}

/**
 * Makes fake timers at time 0. `turns` is the number of event loop turns between two timers; `random` returns `chance`.
 */
export function fakeTimers(turns = 5, chance = 0.5): FakeTimers {
  for (const one of [turns, chance])
    assertArgument('fakeTimers takes numbers', one, kindOf.number, 'fakeTimers(5, 0.5)');
  const timers = new Map<number, { readonly at: number; readonly callback: () => void }>();
  let time = 0;
  let count = 0;
  const settle = async () => {
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    now: () => time,
    random: () => chance,
    set(callback, delayMs) {
      timers.set(++count, { at: time + delayMs, callback });
      return count;
    },
    clear: (timer) => void timers.delete(timer as number),
    get pending() {
      return timers.size;
    },
    get waits() {
      return [...timers.values()].map(({ at }) => at - time).sort((left, right) => left - right);
    },
    async advance(ms) {
      const end = time + ms;
      await settle();
      for (;;) {
        const due = [...timers].filter(([, { at }]) => at <= end).sort(([, left], [, right]) => left.at - right.at);
        const [next] = due;
        if (next === undefined) break;
        timers.delete(next[0]);
        time = Math.max(time, next[1].at);
        next[1].callback();
        await settle();
      }
      time = end;
    },
  };
}
