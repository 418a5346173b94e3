import { setImmediate } from 'node:timers/promises';

const sliceMs = 10;

/** Lets long work give way: the event loop gets a turn every few milliseconds, and an abort ends the work. */
export class Pause {
  readonly #signal: AbortSignal;
  #resumed = performance.now();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Waits for the event loop when this has worked long enough. Rejects when the signal has aborted. */
  async ifDue(): Promise<void> {
    if (performance.now() - this.#resumed < sliceMs) return;
    await setImmediate();
    this.#signal.throwIfAborted();
    this.#resumed = performance.now();
  }
}
