import type { Arguments } from '../programs/arguments.js';
import type { Word } from '../programs/command-words.js';

/** One word of a command after quoting and expansion. */
export type CommandWord = Word<SimpleCommand>;

/** A variable set by a command line, before a command or alone. */
export interface CommandAssignment {
  readonly name: string;
  readonly value: CommandWord;
}

/** One redirection of a command. `body` is the text of a here-document or here-string. */
export interface CommandRedirection {
  readonly operator: string;
  readonly descriptor: number | undefined;
  readonly target: CommandWord | undefined;
  readonly body: string | undefined;
}

/**
 * Words that a wrapper passes to its program at run time: words from standard input (`xargs`) or names of found files
 * (`find -exec`).
 */
export interface PassedWords {
  /** Matches the placeholder for the passed words. */
  readonly placeholder: RegExp;
  /** Whether the wrapper appends the passed words to the words of the program. */
  readonly follow: boolean;
  /** Whether the passed words are paths below a folder that the line names. Such paths cannot be options. */
  readonly isPath: boolean;
}

/**
 * One program call of a command line, at any depth. An empty `argv` stands for bare assignments or the redirections of
 * a group; an `argv` of one computed word stands for code that is not parsed.
 */
export interface SimpleCommand {
  readonly argv: readonly CommandWord[];
  /** Name of the program without folder and version, lower case. */
  readonly name: string;
  /** The words after the program. */
  readonly words: readonly string[];
  /** The arguments, as the program interprets them. */
  readonly read: Arguments<CommandWord>;
  readonly assignments: readonly CommandAssignment[];
  readonly redirections: readonly CommandRedirection[];
  readonly text: string;
  /** The commands that may write the standard input of this command, such as earlier stages of its pipe. */
  readonly input: readonly SimpleCommand[];
  /** The command that starts this one (`sudo`, `bash`, `xargs`), if any. */
  readonly wrapper: SimpleCommand | undefined;
  /**
   * Index of this program in the `argv` of the wrapper; 0 for a module that the wrapper loads, undefined if no word of
   * the wrapper is this program.
   */
  readonly at: number | undefined;
  /** The words that this command gets from its wrapper at run time. */
  readonly passed: PassedWords | undefined;
  /** True inside a command or process substitution. */
  readonly substituted: boolean;
  readonly background: boolean;
  /** True in a loop. */
  readonly repeated: boolean;
  /** Whether a loop starts this command in the background. */
  readonly forked: boolean;
  /** The functions that contain this command, outermost first. */
  readonly functions: readonly string[];
}

/** A reason why a line could not be parsed completely. */
export interface ReadingProblem {
  readonly category: 'unparsable' | 'too-complex' | 'hidden-characters' | 'computed';
  readonly text: string;
}

/** A parsed command line. */
export interface CommandReading {
  readonly text: string;
  /** Every simple command at every depth. A wrapper comes before the commands inside it. */
  readonly commands: readonly SimpleCommand[];
  readonly problems: readonly ReadingProblem[];
}
