import { nextTurn } from './timers.js';

const sliceMs = 10;

/** Yields from long work to the event loop every few milliseconds, so that an abort can end the work. */
export class Pause {
  readonly #signal: AbortSignal;
  #resumed = performance.now();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /**
   * If the last wait was 10 ms ago or more, waits for one turn of the event loop, then rejects if the signal has
   * aborted.
   */
  async ifDue(): Promise<void> {
    if (performance.now() - this.#resumed < sliceMs) return;
    await nextTurn();
    this.#signal.throwIfAborted();
    this.#resumed = performance.now();
  }
}
