import type { Arguments } from '../programs/arguments.js';
import type { Word } from '../programs/words.js';

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

/** Words that a program gets at run time from its wrapper: from standard input, or the names of found files. */
export interface PassedWords {
  /** The placeholder for them in its words. */
  readonly placeholder: RegExp;
  /** Whether they follow its last word. */
  readonly follow: boolean;
  /** Whether they are paths below a folder in the line, and so cannot be options. */
  readonly isPath: boolean;
}

/**
 * One program call of a command line, at any depth. An empty `argv` stands for bare assignments or the redirections of
 * a group; one computed word stands for code that cannot be parsed.
 */
export interface SimpleCommand {
  readonly argv: readonly CommandWord[];
  /** Name of the program without folder and version, lower case. */
  readonly name: string;
  /** The words after the program. */
  readonly words: readonly string[];
  /** The words as the program reads them. */
  readonly read: Arguments<CommandWord>;
  readonly assignments: readonly CommandAssignment[];
  readonly redirections: readonly CommandRedirection[];
  readonly text: string;
  /** The commands before it in the pipe. */
  readonly input: readonly SimpleCommand[];
  /** The command that starts this one (`sudo`, `bash`, `xargs`), if any. */
  readonly wrapper: SimpleCommand | undefined;
  /** Index in the words of the wrapper; 0 for code of the wrapper itself. */
  readonly at: number | undefined;
  /** The words that it gets at run time from its wrapper. */
  readonly passed: PassedWords | undefined;
  /** True inside a command or process substitution. */
  readonly substituted: boolean;
  readonly background: boolean;
  /** Whether a loop starts it in the background. */
  readonly forked: boolean;
  /** The functions that contain it, outermost first. */
  readonly functions: readonly string[];
}

/** The reasons why a line could not be parsed completely. */
export interface ReadingProblem {
  readonly category: 'unparsable' | 'too-complex' | 'hidden-characters' | 'computed';
  readonly text: string;
}

/** A parsed command line. */
export interface CommandReading {
  readonly text: string;
  /** Every simple command at every depth, those inside wrappers after the wrapper. */
  readonly commands: readonly SimpleCommand[];
  readonly problems: readonly ReadingProblem[];
}
