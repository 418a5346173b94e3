/** Finds a sequence of numbers in a stream of numbers in linear time (Knuth, Morris and Pratt). */
export class SequenceFinder {
  readonly #wanted: Int32Array;
  // For each length of a partial match, the length that remains if the next number differs.
  readonly #kept: Int32Array;
  #matched = 0;

  constructor(wanted: readonly number[] | Int32Array) {
    this.#wanted = Int32Array.from(wanted);
    this.#kept = new Int32Array(wanted.length + 1);
    for (let at = 1, kept = 0; at < wanted.length; at++) {
      while (kept > 0 && wanted[at] !== wanted[kept]) kept = this.#kept[kept] ?? 0;
      if (wanted[at] === wanted[kept]) kept++;
      this.#kept[at + 1] = kept;
    }
  }

  /** Accepts the next number. Returns true if the sequence ends with this number. An empty sequence is never found. */
  push(next: number): boolean {
    const wanted = this.#wanted;
    if (this.#matched === wanted.length) this.#matched = this.#kept[this.#matched] ?? 0;
    while (this.#matched > 0 && wanted[this.#matched] !== next) this.#matched = this.#kept[this.#matched] ?? 0;
    if (wanted[this.#matched] === next) this.#matched++;
    return this.#matched === wanted.length && wanted.length > 0;
  }

  reset(): void {
    this.#matched = 0;
  }
}
