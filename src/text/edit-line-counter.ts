import { countLineFeeds, type StoredText } from './edit-newlines.js';

/** Gives way to other work now and then; resolves at once where there is no need. */
export type Breathe = () => Promise<void>;

const stepBytes = 4_194_304;

/** Tells line numbers of byte offsets, and counts each stretch of the file only once. */
export class LineCounter {
  readonly #stored: StoredText;
  readonly #breathe: Breathe;
  #at: number;
  #line = 1;

  constructor(stored: StoredText, breathe: Breathe) {
    this.#stored = stored;
    this.#breathe = breathe;
    this.#at = stored.start;
  }

  /** The number, from 1, of the line that holds the offset. */
  async lineAt(offset: number): Promise<number> {
    if (offset < this.#at) return this.#line - countLineFeeds(this.#stored, offset, this.#at);
    while (this.#at < offset) {
      const next = Math.min(offset, this.#at + stepBytes);
      this.#line += countLineFeeds(this.#stored, this.#at, next);
      this.#at = next;
      await this.#breathe();
    }
    return this.#line;
  }
}
