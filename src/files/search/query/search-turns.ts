import { setImmediate as nextTurn } from 'node:timers/promises';
import { ToolError } from '../../../core/error.js';
import { systemTimers, type Timers } from '../../../core/support/timers.js';

export interface SearchRun {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

const sliceMs = 10;

/**
 * Cooperative scheduling for searches that share one instance: a search runs for 10 ms, then yields to the event loop,
 * and the next search runs.
 */
export class SearchTurns {
  readonly #timers: Timers;
  #last: Promise<void> = Promise.resolve();
  #disposal = new AbortController();

  constructor(timers: Timers = systemTimers) {
    this.#timers = timers;
  }

  /**
   * Runs the steps of a search to the end or until the time limit. A usual step takes a millisecond or less. Rejects
   * with `interrupted` when the signal aborts.
   */
  async run(steps: Iterable<unknown>, { signal, timeoutMs }: SearchRun): Promise<'done' | 'timeout'> {
    const disposal = this.#disposal.signal;
    let isLate = false;
    const late = () => {
      isLate = true;
    };
    const timer = Number.isFinite(timeoutMs) ? this.#timers.set(late, timeoutMs) : undefined;
    try {
      let resumedMs = Number.NEGATIVE_INFINITY;
      for (const _ of steps) {
        if (performance.now() - resumedMs < sliceMs) continue;
        await this.#turn();
        if (signal.aborted || disposal.aborted)
          throw new ToolError('interrupted', 'The search was stopped before it ended.');
        if (isLate) return 'timeout';
        resumedMs = performance.now();
      }
      return 'done';
    } finally {
      this.#timers.clear(timer);
    }
  }

  /** Ends the running searches; they reject with `interrupted`. */
  async dispose(): Promise<void> {
    this.#disposal.abort();
    this.#disposal = new AbortController();
    await this.#turn();
  }

  #turn(): Promise<void> {
    this.#last = this.#last.then(() => nextTurn());
    return this.#last;
  }
}
