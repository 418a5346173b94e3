const newline = 0x0a;
const keptBytes = 256;

/** What becomes of lines. */
export interface LineReceiver {
  line(text: string): void;
  /** A line was longer than may be; these are its ends. */
  overflow(head: string, tail: string): void;
}

/** Puts the lines of a stream together. Of one that is too long it holds the two ends, however long it grows. */
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
