import { waitFor } from '../../core/support/timers.js';

/** The long-term limit of messages per millisecond. */
const perMs = 2;
/** The number of messages that may arrive in a burst before the client reads with pauses. */
const burst = 500;
/** The connection is closed when the total pause time, minus the idle time in between, exceeds this limit. */
const maxPausedMs = 10_000;

/**
 * Limits how fast the messages of one server are read; the results of requests do not count. If the server exceeds the
 * rate, the client pauses between messages, so that the server cannot block the event loop. The limiter uses the real
 * clock even in tests.
 */
export class MessageRate {
  /** Called if the server stays above the rate. */
  onFlood: (reason: string) => void = () => {};
  readonly #ended = new AbortController();
  #waiting = 0;
  #pausedMs = 0;
  #at = performance.now();

  /** Counts messages. Resolves when the next message may be read. Returns undefined if it may be read immediately. */
  count(messages = 1): Promise<void> | undefined {
    const now = performance.now();
    const restMs = now - this.#at - this.#waiting / perMs;
    if (restMs > 0) this.#pausedMs = Math.max(0, this.#pausedMs - restMs);
    this.#waiting = Math.max(0, -restMs * perMs) + messages;
    this.#at = now;
    if (this.#waiting < burst) return undefined;
    const pauseMs = this.#waiting / perMs / 2;
    this.#pausedMs += pauseMs;
    if (this.#pausedMs > maxPausedMs)
      this.onFlood(`The server keeps sending more than ${1_000 * perMs} messages a second.`);
    return waitFor(pauseMs, this.#ended.signal);
  }

  /** Subtracts a counted message that turned out to be a response. */
  uncount(): void {
    this.#waiting--;
  }

  /** Ends all pauses. */
  end(): void {
    this.#ended.abort();
  }
}

const newline = 0x0a;
const keptBytes = 256;

export interface LineReceiver {
  line(text: string): void;
  /** Called for a line that was too long; `head` and `tail` are its two ends. */
  overflow(head: string, tail: string): void;
}

/** Splits a stream into lines. Keeps only the two ends of a line that is too long. */
export class MessageLines {
  readonly #maxBytes: number;
  readonly #receiver: LineReceiver;
  #parts: Buffer[] = [];
  #bytes = 0;
  #head: string | undefined;

  constructor(maxBytes: number, receiver: LineReceiver) {
    this.#maxBytes = maxBytes;
    this.#receiver = receiver;
  }

  /** Yields after each line. */
  *push(chunk: Buffer): Generator<void, void> {
    for (let start = 0; ; ) {
      const end = chunk.indexOf(newline, start);
      this.#add(chunk.subarray(start, end === -1 ? chunk.length : end));
      if (end === -1) return;
      this.#finish();
      yield;
      start = end + 1;
    }
  }

  #add(part: Buffer): void {
    this.#parts.push(part);
    this.#bytes += part.length;
    if (this.#bytes <= this.#maxBytes) return;
    this.#head ??= Buffer.concat(this.#parts.map((one) => one.subarray(0, keptBytes)))
      .subarray(0, keptBytes)
      .toString();
    this.#parts = [Buffer.concat(this.#parts.slice(-2).map((one) => one.subarray(-keptBytes))).subarray(-keptBytes)];
  }

  #finish(): void {
    const [parts, bytes, head] = [this.#parts, this.#bytes, this.#head];
    this.#parts = [];
    this.#bytes = 0;
    this.#head = undefined;
    if (head !== undefined) this.#receiver.overflow(head, Buffer.concat(parts).toString());
    else if (bytes > 0) this.#receiver.line(Buffer.concat(parts).toString());
  }
}
