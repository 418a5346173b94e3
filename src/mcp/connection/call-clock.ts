import type { Timers } from '../../core/support/timers.js';

/** How long a request may take. */
export interface CallTimes {
  /** Without an answer or progress. */
  readonly inactivityMs: number;
  /** In all. */
  readonly maxCallMs: number;
}

/** Watches one request: progress begins the inactivity anew, never the whole. */
export class CallClock {
  readonly #timers: Timers;
  readonly #times: CallTimes;
  readonly #isHeld: () => boolean;
  readonly #onLate: (reason: string) => void;
  readonly #startedAt: number;
  #heardAt: number;
  #timer: unknown;

  /** While `isHeld` says so, the server waits for us: that is no inactivity of its own. */
  constructor(timers: Timers, times: CallTimes, isHeld: () => boolean, onLate: (reason: string) => void) {
    this.#timers = timers;
    this.#times = times;
    this.#isHeld = isHeld;
    this.#onLate = onLate;
    this.#startedAt = timers.now();
    this.#heardAt = this.#startedAt;
    this.#arm();
  }

  /** The server said how far it is. */
  heard(): void {
    this.#heardAt = this.#timers.now();
  }

  stop(): void {
    this.#timers.clear(this.#timer);
  }

  #arm(): void {
    const { inactivityMs, maxCallMs } = this.#times;
    const due = Math.min(this.#heardAt + inactivityMs, this.#startedAt + maxCallMs);
    this.#timer = this.#timers.set(() => this.#check(), Math.max(1, due - this.#timers.now()));
  }

  #check(): void {
    const { inactivityMs, maxCallMs } = this.#times;
    const now = this.#timers.now();
    if (this.#isHeld()) this.#heardAt = now;
    if (now >= this.#startedAt + maxCallMs) this.#onLate(`It took longer than ${Math.ceil(maxCallMs)} ms in all.`);
    else if (now >= this.#heardAt + inactivityMs) this.#onLate(`It gave no sign for ${inactivityMs} ms.`);
    else this.#arm();
  }
}
