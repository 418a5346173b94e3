import type { ProvenOptions } from './read-only-options.js';

/** What a call of a read-only program may look like and still be proven to only read. */
export interface ReadOnlyProgram {
  /** What the operands are: paths whose content is shown, paths of which names or numbers are shown, or plain text. */
  readonly operands: 'contents' | 'names' | 'text';
  /**
   * The options that are known; a word that begins with `-` and is none of them is not proven. Without it, every word
   * is text.
   */
  readonly options?: ProvenOptions;
  /** Whole words that are refused, for programs whose operands are a language of their own. */
  readonly refused?: RegExp;
  /** Only these words are proven. */
  readonly proven?: RegExp;
  /** What the first word must be, where the program does something else without it. */
  readonly firstWord?: RegExp;
  /** The first operand is a pattern and no path, unless one of the words is such an option. */
  readonly patternFirst?: RegExp;
  /** Words that make the program read every file below its operands; `always` where it does so by itself. */
  readonly recursive?: RegExp | 'always';
  /** Shows the files of two folders, where its operands are such. */
  readonly takesFolders?: true;
  /** Most operands (words that do not begin with `-`). */
  readonly maxOperands?: number;
  /** Most words of any kind. */
  readonly maxWords?: number;
}
