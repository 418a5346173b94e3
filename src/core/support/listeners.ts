/** A set of listeners. Errors that they throw are swallowed: a listener cannot fail the sender. */
export class Listeners<Event> {
  readonly #listeners = new Set<(event: Event) => void>();

  /** Adds a listener and returns the function that removes it. */
  add(listener: (event: Event) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  tell(event: Event): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch {
        // See above.
      }
    }
  }
}
