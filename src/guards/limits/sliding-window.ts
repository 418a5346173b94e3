import { LatestMap } from '../../core/support/latest-map.js';

interface Usage {
  /** Granted costs in the order of time; those before `first` have expired. */
  taken: { readonly at: number; readonly cost: number }[];
  first: number;
  sum: number;
}

/**
 * Grants each key costs of at most `max` within any `windowMs`. Counts at most `maxKeys` keys; a further key replaces
 * the key that has been idle longest, so no key is refused because of others. Times are monotonic milliseconds.
 */
export class SlidingWindow {
  readonly #max: number;
  readonly #windowMs: number;
  readonly #usages: LatestMap<string, Usage>;

  constructor(max: number, windowMs: number, maxKeys: number) {
    this.#max = max;
    this.#windowMs = windowMs;
    this.#usages = new LatestMap(maxKeys);
  }

  /** Milliseconds until the cost can be granted: 0 for now, Infinity for never. Grants nothing. */
  waitMs(key: string, cost: number, now: number): number {
    if (cost > this.#max) return Number.POSITIVE_INFINITY;
    this.#forgetIdleKeys(now);
    const usage = this.#usages.get(key);
    if (usage === undefined) return 0;
    this.#expire(usage, now);
    let excess = usage.sum + cost - this.#max;
    if (excess <= 0) return 0;
    for (const { at, cost: freed } of usage.taken.slice(usage.first)) {
      excess -= freed;
      if (excess <= 0) return Math.max(1, Math.ceil(at + this.#windowMs - now));
    }
    return this.#windowMs;
  }

  /** Grants the cost, for which {@link waitMs} was 0, and returns what remains of `max`. */
  take(key: string, cost: number, now: number): number {
    const usage = this.#usages.get(key) ?? { taken: [], first: 0, sum: 0 };
    if (cost === 0) return this.#max - usage.sum;
    // If the clock goes backwards, the time of the last grant is used.
    usage.taken.push({ at: Math.max(now, usage.taken.at(-1)?.at ?? now), cost });
    usage.sum += cost;
    this.#usages.set(key, usage);
    return this.#max - usage.sum;
  }

  #expire(usage: Usage, now: number): void {
    for (; usage.first < usage.taken.length; usage.first++) {
      const oldest = usage.taken[usage.first];
      if (oldest === undefined || oldest.at > now - this.#windowMs) break;
      usage.sum -= oldest.cost;
    }
    // Drops the rounding errors of fractions.
    if (usage.first === usage.taken.length) usage.sum = 0;
    if (usage.first * 2 <= usage.taken.length) return;
    usage.taken = usage.taken.slice(usage.first);
    usage.first = 0;
  }

  #forgetIdleKeys(now: number): void {
    for (const [key, { taken }] of this.#usages) {
      if ((taken.at(-1)?.at ?? now) > now - this.#windowMs) return;
      this.#usages.delete(key);
    }
  }
}
