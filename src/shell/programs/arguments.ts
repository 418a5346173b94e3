import type { Word } from './command-words.js';
import type { ArgumentKind, Effect, Program } from './row.js';

/** The value of an option, or an operand, with its role. */
export interface Argument<W extends Word = Word> {
  readonly kind: ArgumentKind;
  readonly word: W;
  /** The option with this value; undefined for an operand. */
  readonly option: string | undefined;
  /** Index of the option or operand in the call. */
  readonly at: number;
}

/** The arguments of a call, as its program interprets them. */
export interface Arguments<W extends Word = Word> {
  /** The program with its subcommands, such as `git stash list`. */
  readonly name: string;
  /** The row of the program in the table; undefined for an unknown program. */
  readonly program: Program | undefined;
  readonly values: readonly Argument<W>[];
  /** The given options, by their names in the table. */
  readonly options: ReadonlySet<string>;
  readonly effects: ReadonlySet<Effect>;
  /** Operands that are known only at run time and may be options. */
  readonly possibleOptions: readonly W[];
  /** Options and operands that the table does not list. */
  readonly unknown: readonly string[];
  /**
   * Started programs with their words. `at` is the index of the program in the call, 0 for a module of the calling
   * program.
   */
  readonly started: readonly { readonly at: number; readonly words: readonly W[] }[];
}
