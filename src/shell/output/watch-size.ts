import { systemTimers, type Timers, unrefTimer } from '../../core/support/timers.js';

const fastestMs = 10;

/** A file that is checked periodically. */
export interface Watched {
  /** Bytes in the file now. */
  readonly size: number;
  /** The size above which the file is cut. */
  readonly maxBytes: number;
  look(): void;
}

/**
 * Checks all growing files with one timer. The timer fires every `intervalMs`, and more often only while a file is near
 * its limit. The timer never keeps the process alive.
 */
export class OutputWatch {
  readonly #intervalMs: number;
  readonly #timers: Timers;
  readonly #watched = new Map<Watched, number>();
  #timer: unknown;

  constructor(intervalMs: number, timers: Timers = systemTimers) {
    this.#intervalMs = intervalMs;
    this.#timers = timers;
  }

  /** Checks `watched` until the returned function is called. */
  add(watched: Watched): () => void {
    this.#watched.set(watched, 0);
    this.#timer ??= this.#after(this.#intervalMs);
    return () => {
      this.#watched.delete(watched);
      if (this.#watched.size > 0) return;
      this.#timers.clear(this.#timer);
      this.#timer = undefined;
    };
  }

  #after(delayMs: number): unknown {
    return unrefTimer(this.#timers.set(() => this.#lookAtAll(), delayMs));
  }

  #lookAtAll(): void {
    let delayMs = this.#intervalMs;
    for (const [watched, before] of this.#watched) {
      const size = watched.size;
      if (size + (size - before) > watched.maxBytes) delayMs = Math.min(delayMs, fastestMs);
      this.#watched.set(watched, size);
      watched.look();
    }
    if (this.#watched.size > 0) this.#timer = this.#after(delayMs);
  }
}
