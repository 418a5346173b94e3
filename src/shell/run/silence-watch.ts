import { shellNumbers } from '../../core/numbers.js';
import type { Timers } from '../../core/support/timers.js';
import type { TerminalWait } from '../processes/waits-for-input.js';

/** Options of {@link SilenceWatch}. */
export interface SilenceWatchOptions {
  readonly timers: Timers;
  /** Whether the command currently waits for input. */
  waitsForInput(): TerminalWait;
  /** Called at each silence, unless the command is known not to wait for input. */
  tell(wait: Exclude<TerminalWait, 'no'>): void;
}

/** Reports each silence of a command that waits, or may wait, for input. */
export class SilenceWatch {
  readonly #options: SilenceWatchOptions;
  #size = 0;
  #since: number;
  #isReported = false;

  constructor(options: SilenceWatchOptions) {
    this.#options = options;
    this.#since = options.timers.now();
  }

  /** Checks a command whose output has this size. */
  look(size: number): void {
    if (size !== this.#size) this.restart();
    this.#size = size;
    if (this.#isReported || this.#options.timers.now() - this.#since < shellNumbers.silenceMs) return;
    // A working command may wait for input later.
    this.restart();
    const wait = this.#options.waitsForInput();
    if (wait === 'no') return;
    this.#isReported = true;
    this.#options.tell(wait);
  }

  /** Restarts after output or input. */
  restart(): void {
    this.#since = this.#options.timers.now();
    this.#isReported = false;
  }
}
