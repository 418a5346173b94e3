import type { OutputReader } from '../../ports/shell.js';

/**
 * Text of a task in memory, for tasks that keep no file. Past `maxChars` the oldest text goes, and readers are
 * informed.
 */
export class TaskLog {
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

  /** A reader with a position of its own, at the beginning. */
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
