import type { Timers } from '../core/support/timers.js';

/** Timers by name, at most one for each name. */
export class NamedTimers<Name extends string> {
  readonly #timers: Timers;
  readonly #running = new Map<Name, unknown>();

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Does nothing if a timer of that name is running. */
  start(name: Name, delayMs: number, work: () => void): void {
    if (this.#running.has(name)) return;
    const timer = this.#timers.set(() => {
      this.#running.delete(name);
      work();
    }, delayMs);
    this.#running.set(name, timer);
  }

  /** Stops a timer; false if it was not running. */
  stop(name: Name): boolean {
    this.#timers.clear(this.#running.get(name));
    return this.#running.delete(name);
  }

  stopAll(): void {
    for (const name of [...this.#running.keys()]) this.stop(name);
  }
}
