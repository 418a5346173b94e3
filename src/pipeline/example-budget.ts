const maxParts = 200;
const maxMs = 50;

/** What the making of one example may take: parts of the schema, and time. Once it is spent there is no example. */
export class ExampleBudget {
  readonly #endsAt = performance.now() + maxMs;
  #parts = 0;

  /** Takes note of one more part. */
  spend(): void {
    this.#parts += 1;
  }

  /** Gives up, whatever is left. */
  end(): void {
    this.#parts = Number.POSITIVE_INFINITY;
  }

  get isSpent(): boolean {
    return this.#parts > maxParts || performance.now() > this.#endsAt;
  }
}
