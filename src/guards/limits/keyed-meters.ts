import type { MakeMeter, RateMeter } from './rate-meter.js';

interface Kept {
  readonly meter: RateMeter;
  lastAt: number;
}

/**
 * One meter for each key, for at most `maxKeys` keys. A key that has taken nothing for a window is as good as new and
 * is forgotten. When all that are kept are in use, a further one takes the place of the one that has been idle longest:
 * nobody is refused for what others do.
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
    return cost > this.#max ? Number.POSITIVE_INFINITY : 0;
  }

  /** See {@link RateMeter.take}. */
  take(key: string, cost: number, now: number): number {
    if (this.#max === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
    const kept = this.#kept.get(key) ?? { meter: this.#make(this.#max, this.#windowMs), lastAt: now };
    kept.lastAt = Math.max(kept.lastAt, now);
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size > this.#maxKeys) this.#kept.delete(oldest);
    return kept.meter.take(cost, now);
  }

  #forgetIdle(now: number): void {
    for (const [key, { lastAt }] of this.#kept) {
      if (lastAt > now - this.#windowMs) return;
      this.#kept.delete(key);
    }
  }
}
