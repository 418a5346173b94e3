export interface LatestMapOptions<Key, Value> {
  /** The weight of an entry, such as its bytes. Default 1. */
  readonly weigh?: (value: Value) => number;
  /** Called for each entry that is dropped to make room. */
  readonly onDrop?: (key: Key, value: Value) => void;
}

/**
 * A map of the latest entries: `set` makes a key the newest, and above the maximum weight the oldest entries are
 * dropped.
 */
export class LatestMap<Key, Value> extends Map<Key, Value> {
  readonly #max: number;
  readonly #options: LatestMapOptions<Key, Value>;
  #weight = 0;

  constructor(max: number, options: LatestMapOptions<Key, Value> = {}) {
    super();
    this.#max = max;
    this.#options = options;
  }

  override set(key: Key, value: Value): this {
    this.delete(key);
    super.set(key, value);
    this.#weight += this.#weigh(value);
    for (const [oldest, dropped] of this) {
      if (this.#weight <= this.#max) break;
      this.delete(oldest);
      this.#options.onDrop?.(oldest, dropped);
    }
    return this;
  }

  override delete(key: Key): boolean {
    const weight = this.has(key) ? this.#weigh(this.get(key) as Value) : 0;
    this.#weight -= weight;
    return super.delete(key);
  }

  override clear(): void {
    this.#weight = 0;
    super.clear();
  }

  #weigh(value: Value): number {
    return this.#options.weigh?.(value) ?? 1;
  }
}
