import { unitBytes } from '../encodings/encoding.js';
import { type LineFeedCounter, lineFeedCounter } from '../encodings/line-feed-counter.js';
import { countLineFeeds, type StoredText } from './newlines.js';

/** Gives way to other work now and then; resolves at once where there is no need. */
export type YieldToLoop = () => Promise<void>;

const stepBytes = 4_194_304;
// From here on it pays to make a counter.
const manyBytes = 2_097_152;

/** Tells line numbers of byte offsets, and counts each stretch of the file only once. */
export class LineCounter {
  readonly #stored: StoredText;
  readonly #yieldToLoop: YieldToLoop;
  #counter: LineFeedCounter | undefined;
  #at: number;
  #line = 1;

  constructor(stored: StoredText, yieldToLoop: YieldToLoop) {
    this.#stored = stored;
    this.#yieldToLoop = yieldToLoop;
    this.#at = stored.start;
  }

  /** The number, from 1, of the line that holds the offset. */
  async lineAt(offset: number): Promise<number> {
    if (offset < this.#at) return this.#line - countLineFeeds(this.#stored, offset, this.#at);
    while (this.#at < offset) {
      const next = Math.min(offset, this.#at + stepBytes);
      this.#line += this.#count(this.#at, next);
      this.#at = next;
      await this.#yieldToLoop();
    }
    return this.#line;
  }

  #count(from: number, until: number): number {
    const { bytes, encoding } = this.#stored;
    if (until - from >= manyBytes && unitBytes(encoding) === 1) this.#counter ??= lineFeedCounter();
    if (this.#counter === undefined) return countLineFeeds(this.#stored, from, until);
    let count = 0;
    for (let at = from; at < until; at += this.#counter.memory.length) {
      const copied = bytes.copy(this.#counter.memory, 0, at, Math.min(until, at + this.#counter.memory.length));
      count += this.#counter.count(0, copied);
    }
    return count;
  }
}
