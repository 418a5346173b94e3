import type { MakeMeter, RateMeter } from './rate-meter.js';

interface Kept {
  readonly meter: RateMeter;
  lastAt: number;
}

/**
 * One meter for each key, for at most `maxKeys` keys. A key that has taken nothing for a window is as good as new and is forgotten.
 * When all that are kept are in use, a further one has to wait: to forget one would be to give it its share twice.
 */
export class KeyedMeters {
  readonly #max: number;
  readonly #windowMs: number;
  readonly #maxKeys: number;
  readonly #make: MakeMeter;
  /** In the order in which they last took something. */
  readonly #kept = new Map<string, Kept>();

  constructor(max: number, windowMs: number, maxKeys: number, make: MakeMeter) {
    this.#max = max;
    this.#windowMs = windowMs;
    this.#maxKeys = maxKeys;
    this.#make = make;
  }

  /** How many keys are kept. */
  get size(): number {
    return this.#kept.size;
  }

  /** See {@link RateMeter.waitMs}. */
  waitMs(key: string, cost: number, now: number): number {
    if (this.#max === Number.POSITIVE_INFINITY) return 0;
    this.#forgetIdle(now);
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept.meter.waitMs(cost, now);
    if (cost > this.#max) return Number.POSITIVE_INFINITY;
    if (this.#kept.size < this.#maxKeys) return 0;
    const [oldest] = this.#kept.values();
    return oldest === undefined ? Number.POSITIVE_INFINITY : Math.max(1, Math.ceil(oldest.lastAt + this.#windowMs - now));
  }

  /** See {@link RateMeter.take}. */
  take(key: string, cost: number, now: number): number {
    if (this.#max === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
    const kept = this.#kept.get(key) ?? { meter: this.#make(this.#max, this.#windowMs), lastAt: now };
    kept.lastAt = Math.max(kept.lastAt, now);
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept.meter.take(cost, now);
  }

  #forgetIdle(now: number): void {
    for (const [key, { lastAt }] of this.#kept) {
      if (lastAt > now - this.#windowMs) return;
      this.#kept.delete(key);
    }
  }
}
