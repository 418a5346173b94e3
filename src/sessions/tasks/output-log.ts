import type { OutputReader } from '../../ports/shell.js';

/**
 * Output of a task in memory, for tasks without a file. Beyond `maxChars` the oldest text is dropped, and readers get a
 * notice.
 */
export class OutputLog {
  readonly #maxChars: number;
  #text = '';
  #dropped = 0;

  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  /** Adds text at the end. */
  write(text: string): void {
    this.#text += text;
    const excess = this.#text.length - this.#maxChars;
    if (excess <= 0) return;
    this.#text = this.#text.slice(excess);
    this.#dropped += excess;
  }

  /** A reader that starts at the beginning. */
  open(): OutputReader {
    let position = 0;
    return {
      read: () => {
        const missed = this.#dropped - position;
        const fresh = this.#text.slice(Math.max(0, -missed));
        position = this.#dropped + this.#text.length;
        return missed > 0 ? `[${missed} characters omitted]\n${fresh}` : fresh;
      },
    };
  }
}
