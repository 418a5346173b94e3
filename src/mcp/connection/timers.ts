import type { Timers } from '../../core/support/timer.js';

/** Time limits of a request. */
export interface CallTimes {
  /** The time that may pass without a response or progress. */
  readonly inactivityMs: number;
  /** The maximum duration of the whole call. */
  readonly maxCallMs: number;
}

/** Watches the time limits of one request: progress restarts the inactivity limit, but not the total. */
export class CallClock {
  readonly #timers: Timers;
  readonly #times: CallTimes;
  readonly #isHeld: () => boolean;
  readonly #onLate: (reason: string) => void;
  readonly #startedAt: number;
  #lastSignAt: number;
  #timer: unknown;

  /** `isHeld` returns whether the server waits for the client; that time does not count as inactivity. */
  constructor(timers: Timers, times: CallTimes, isHeld: () => boolean, onLate: (reason: string) => void) {
    this.#timers = timers;
    this.#times = times;
    this.#isHeld = isHeld;
    this.#onLate = onLate;
    this.#startedAt = timers.now();
    this.#lastSignAt = this.#startedAt;
    this.#arm();
  }

  /** The server has sent progress. */
  restartInactivity(): void {
    this.#lastSignAt = this.#timers.now();
  }

  stop(): void {
    this.#timers.clear(this.#timer);
  }

  #arm(): void {
    const { inactivityMs, maxCallMs } = this.#times;
    const due = Math.min(this.#lastSignAt + inactivityMs, this.#startedAt + maxCallMs);
    this.#timer = this.#timers.set(() => this.#check(), Math.max(1, due - this.#timers.now()));
  }

  #check(): void {
    const { inactivityMs, maxCallMs } = this.#times;
    const now = this.#timers.now();
    if (this.#isHeld()) this.#lastSignAt = now;
    if (now >= this.#startedAt + maxCallMs) this.#onLate(`It took longer than ${Math.ceil(maxCallMs)} ms in total.`);
    else if (now >= this.#lastSignAt + inactivityMs)
      this.#onLate(`It sent no answer or progress for ${inactivityMs} ms.`);
    else this.#arm();
  }
}

/** Options of pings. */
export interface HealthOptions {
  readonly timers: Timers;
  readonly pingMs: number;
  /** Resolves when the server responds. Otherwise the promise rejects or stays pending. */
  ping(): Promise<unknown>;
  onDead(): void;
}

const maxLost = 2;

/** Pings a server at an interval and reports it as dead after two pings without an answer. */
export class Health {
  readonly #options: HealthOptions;
  #timer: unknown;
  #lost = 0;
  #isAsked = false;

  constructor(options: HealthOptions) {
    this.#options = options;
    this.#arm();
  }

  /** A message of the server has arrived. */
  markAlive(): void {
    this.#lost = 0;
    this.#isAsked = false;
  }

  stop(): void {
    this.#options.timers.clear(this.#timer);
  }

  #arm(): void {
    const { timers, pingMs } = this.#options;
    if (pingMs > 0) this.#timer = timers.set(() => this.#tick(), pingMs);
  }

  #tick(): void {
    this.#lost = this.#isAsked ? this.#lost + 1 : 0;
    if (this.#lost >= maxLost) {
      this.#options.onDead();
      return;
    }
    this.#isAsked = true;
    this.#options.ping().then(
      () => this.markAlive(),
      () => {},
    );
    this.#arm();
  }
}

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
