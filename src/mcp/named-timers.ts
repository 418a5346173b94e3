import type { Timers } from '../core/support/timers.js';

/** Timers by name, each running once at a time. */
export class NamedTimers<Name extends string> {
  readonly #timers: Timers;
  readonly #running = new Map<Name, unknown>();

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Unless one of that name runs already. */
  start(name: Name, delayMs: number, work: () => void): void {
    if (this.#running.has(name)) return;
    const timer = this.#timers.set(() => {
      this.#running.delete(name);
      work();
    }, delayMs);
    this.#running.set(name, timer);
  }

  /** Ends that of a name. Answers whether it ran. */
  stop(name: Name): boolean {
    this.#timers.clear(this.#running.get(name));
    return this.#running.delete(name);
  }

  stopAll(): void {
    for (const name of [...this.#running.keys()]) this.stop(name);
  }
}
