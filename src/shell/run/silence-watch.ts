import { shellNumbers } from '../../core/numbers.js';
import type { Timers } from '../../core/support/timers.js';
import type { TerminalWait } from '../processes/waits-for-input.js';

/** What a {@link SilenceWatch} works with. */
export interface SilenceWatchOptions {
  readonly timers: Timers;
  /** Whether the command waits for input now. */
  waitsForInput(): TerminalWait;
  /** Hears of a silence; not where the command is known to work. */
  tell(wait: Exclude<TerminalWait, 'no'>): void;
}

/** Tells once of each silence of a command that waits for input, or may do so. */
export class SilenceWatch {
  readonly #options: SilenceWatchOptions;
  #size = 0;
  #since: number;
  #isTold = false;

  constructor(options: SilenceWatchOptions) {
    this.#options = options;
    this.#since = options.timers.now();
  }

  /** Looks at a command whose output has so many bytes. */
  look(size: number): void {
    if (size !== this.#size) this.restart();
    this.#size = size;
    if (this.#isTold || this.#options.timers.now() - this.#since < shellNumbers.silenceMs) return;
    // One that works on may wait for input later.
    this.restart();
    const wait = this.#options.waitsForInput();
    if (wait === 'no') return;
    this.#isTold = true;
    this.#options.tell(wait);
  }

  /** Something was put out or typed. */
  restart(): void {
    this.#since = this.#options.timers.now();
    this.#isTold = false;
  }
}
