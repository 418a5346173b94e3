import type { Timers } from '../../core/support/timers.js';

/** How a connection is watched. */
export interface HealthOptions {
  readonly timers: Timers;
  readonly pingMs: number;
  /** Rejects or stays away where nobody answers. */
  ping(): Promise<unknown>;
  onDead(): void;
}

const maxLost = 2;

/** Asks a server again and again whether it is there. Two questions in a row without an answer are its end. */
export class Health {
  readonly #options: HealthOptions;
  #timer: unknown;
  #lost = 0;
  #isAsked = false;

  constructor(options: HealthOptions) {
    this.#options = options;
    this.#arm();
  }

  /** Whatever it says shows that it is there. */
  heard(): void {
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
      () => this.heard(),
      () => {},
    );
    this.#arm();
  }
}
