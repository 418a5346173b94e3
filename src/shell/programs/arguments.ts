import type { Word } from '../words/command-word.js';
import type { ArgumentKind, Effect, Program } from './program.js';

/** The value of an option, or an operand, with what it is to the program. */
export interface Argument<W extends Word = Word> {
  readonly kind: ArgumentKind;
  readonly word: W;
  /** The option it belongs to; undefined for an operand. */
  readonly option: string | undefined;
}

/** The words of a call as its program reads them. */
export interface Arguments<W extends Word = Word> {
  /** The program with its subcommands (`git stash list`). */
  readonly name: string;
  /** The line of the table; undefined for a program that is not in it. */
  readonly program: Program | undefined;
  readonly values: readonly Argument<W>[];
  /** The options that were given, by their names in the table. */
  readonly options: ReadonlySet<string>;
  readonly effects: ReadonlySet<Effect>;
  /** Options and operands that the table does not have. */
  readonly unknown: readonly string[];
  /** Programs with their words, each with the index in the call where it begins; 0 for code of the program itself. */
  readonly started: readonly { readonly at: number; readonly words: readonly W[] }[];
}
