import { PatternError } from './grep-syntax.js';

/** Walks over the code points of a pattern. */
export class PatternReader {
  readonly #codePoints: readonly string[];
  #position = 0;

  /** The names of the capture groups that were read. */
  readonly groupNames = new Set<string>();

  constructor(pattern: string) {
    this.#codePoints = Array.from(pattern);
  }

  get isAtEnd(): boolean {
    return this.#position >= this.#codePoints.length;
  }

  get position(): number {
    return this.#position;
  }

  /** Goes back to a position that was read before. */
  returnTo(position: number): void {
    this.#position = position;
  }

  /** The character `ahead` of the next, or the empty string past the end. */
  peek(ahead = 0): string {
    return this.#codePoints[this.#position + ahead] ?? '';
  }

  /** Takes the next character. */
  next(what: string): string {
    const character = this.#codePoints[this.#position];
    if (character === undefined) throw new PatternError(`${what} at the end of the pattern`);
    this.#position++;
    return character;
  }

  /** Takes `text` if it comes next. */
  take(text: string): boolean {
    const characters = Array.from(text);
    if (!characters.every((character, index) => this.peek(index) === character)) return false;
    this.#position += characters.length;
    return true;
  }

  /** Takes everything before `end`, and `end` too. */
  takeUntil(end: string, what: string): string {
    let text = '';
    while (!this.take(end)) text += this.next(what);
    return text;
  }
}
