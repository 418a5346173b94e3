import { shellNumbers } from '../../core/fixed-limits.js';
import type { Timers } from '../../core/support/timers.js';

/** Calls `tell` once per silence: a minute in which a command has neither output nor input. */
export class SilenceWatch {
  readonly #timers: Timers;
  readonly #tell: () => void;
  #size = 0;
  #since: number;
  #isTold = false;

  constructor(timers: Timers, tell: () => void) {
    this.#timers = timers;
    this.#tell = tell;
    this.#since = timers.now();
  }

  /** Checks a command whose output has this size. */
  look(size: number): void {
    if (size !== this.#size) this.restart();
    this.#size = size;
    if (this.#isTold || this.#timers.now() - this.#since < shellNumbers.silenceMs) return;
    this.#isTold = true;
    this.#tell();
  }

  /** Restarts after output or input. */
  restart(): void {
    this.#since = this.#timers.now();
    this.#isTold = false;
  }
}
