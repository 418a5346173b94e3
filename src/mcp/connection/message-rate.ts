import { waitFor } from '../../core/support/timer.js';

/** Messages in a millisecond that a server may send for long. */
const perMs = 2;
/** What may come at once before it is read with pauses. */
const burst = 500;
/** Pauses together, without as much rest between them, after which a server is ended. */
const maxPausedMs = 10_000;

/**
 * How fast one server sends messages that are no answers. Past a rate it is read with pauses, so that everything else
 * in this process has its turn; the clock is that of the process for the same reason.
 */
export class MessageRate {
  /** Called where it goes on past the rate. */
  onEndless: (reason: string) => void = () => {};
  readonly #ended = new AbortController();
  #waiting = 0;
  #pausedMs = 0;
  #at = performance.now();

  /** Some messages came in. Resolves when the next may be read. */
  heard(messages = 1): Promise<void> | undefined {
    const now = performance.now();
    const restMs = now - this.#at - this.#waiting / perMs;
    if (restMs > 0) this.#pausedMs = Math.max(0, this.#pausedMs - restMs);
    this.#waiting = Math.max(0, -restMs * perMs) + messages;
    this.#at = now;
    if (this.#waiting < burst) return undefined;
    const pauseMs = this.#waiting / perMs / 2;
    this.#pausedMs += pauseMs;
    if (this.#pausedMs > maxPausedMs)
      this.onEndless(`It sends more than ${1_000 * perMs} messages a second without end.`);
    return waitFor(pauseMs, this.#ended.signal);
  }

  /** One of them was an answer. */
  answered(): void {
    this.#waiting--;
  }

  /** Nothing waits any more. */
  end(): void {
    this.#ended.abort();
  }
}
