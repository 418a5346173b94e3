/**
 * Calls a listener. Errors and rejections of the listener are ignored, so that a listener cannot make the sender fail.
 */
export function tell<Values extends readonly unknown[]>(
  listener: (...values: Values) => unknown,
  ...values: Values
): void {
  quietly(() => listener(...values));
}

/** One listener that calls each of the given listeners once; undefined if there are none. */
export function joinListeners<Values extends readonly unknown[]>(
  ...listeners: readonly (((...values: Values) => void) | undefined)[]
): ((...values: Values) => void) | undefined {
  const each = [...new Set(listeners.filter((listener) => listener !== undefined))];
  return each.length < 2 ? each[0] : (...values) => each.forEach((listener) => void tell(listener, ...values));
}

/** A set of listeners, called by {@link tell}. */
export class Listeners<Event> {
  readonly #listeners = new Set<(event: Event) => void>();

  /** Adds a listener and returns the function that removes it. */
  add(listener: (event: Event) => void): () => void {
    // A function that is added twice counts as two listeners.
    const own = (event: Event) => listener(event);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  tell(event: Event): void {
    for (const listener of this.#listeners) tell(listener, event);
  }
}

/** Runs work and ignores its errors. */
export function quietly(work: () => unknown): void {
  try {
    const answer = work();
    if (answer !== undefined) Promise.resolve(answer).catch(() => {});
  } catch {
    // Ignored on purpose.
  }
}
