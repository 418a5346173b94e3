/**
 * How much is known of a word before it runs. `literal`: only quoting stood around it. `glob`: a literal pattern that
 * file names replace. `resolved`: worked out from variables, braces or escapes of the same line. `computed`: known only
 * when it runs; `value` then leaves the unknown parts out.
 */
export type WordKind = 'literal' | 'glob' | 'resolved' | 'computed';

/** One word of a command after quoting and expansion. */
export interface CommandWord {
  /** The word as it was written. */
  readonly text: string;
  /** The word as the program gets it, as far as that is known. */
  readonly value: string;
  readonly kind: WordKind;
  /** The commands whose output stands in the word. */
  readonly runs: readonly SimpleCommand[];
  /** The elements, where the word is the value of a list variable. */
  readonly elements?: readonly CommandWord[];
}

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
 * What a command reads: the commands before it in the pipe, and the text that arrives where it is known beforehand.
 */
export interface CommandInput {
  readonly commands: readonly SimpleCommand[];
  readonly text: string | undefined;
}

/** A loop of a command line. */
export interface ShellLoop {
  /**
   * `counted`: ends with its list of words. `conditional`: runs on as its condition says. `endless`: has no condition.
   */
  readonly kind: 'counted' | 'conditional' | 'endless';
}

/**
 * One program call of a command line, at any depth. An empty `argv` stands for bare assignments or the redirections of
 * a group.
 */
export interface SimpleCommand {
  readonly argv: readonly CommandWord[];
  readonly assignments: readonly CommandAssignment[];
  readonly redirections: readonly CommandRedirection[];
  readonly text: string;
  readonly input: CommandInput;
  /** The program that starts this one (`sudo`, `bash`, `xargs`), where one does. */
  readonly wrapper: string | undefined;
  /** True when an unknown program was given what looks like a command. */
  readonly guessed: boolean;
  /** True inside a command or process substitution. */
  readonly substituted: boolean;
  readonly background: boolean;
  /** The loops whose condition or body hold it, outermost first. */
  readonly loops: readonly ShellLoop[];
  /** How many of these loops, outermost first, start it without waiting for it. */
  readonly forkedLoops: number;
  /** True in the condition of its innermost loop. */
  readonly condition: boolean;
  /** The functions whose bodies hold it, outermost first. */
  readonly functions: readonly string[];
}

/** Why a line could not be read whole. */
export interface ReadingProblem {
  readonly category: 'unparsable' | 'too-complex' | 'hidden-characters' | 'computed';
  readonly text: string;
}

/** A command line taken apart. */
export interface CommandReading {
  readonly text: string;
  /** Every simple command at every depth, those inside wrappers after the wrapper. */
  readonly commands: readonly SimpleCommand[];
  readonly problems: readonly ReadingProblem[];
}

/** Nothing on standard input. */
export const noInput: CommandInput = { commands: [], text: undefined };

/** Makes a word of which every character is known. */
export function literalWord(value: string): CommandWord {
  return { text: value, value, kind: 'literal', runs: [] };
}

/** Makes a word that only the running shell knows. */
export function computedWord(text: string): CommandWord {
  return { text, value: '', kind: 'computed', runs: [] };
}

/**
 * The name a program goes by: last path segment, lower case, `.exe`, `.cmd` and `.bat` dropped, look-alike and
 * invisible characters folded.
 */
export function programName(word: CommandWord | undefined): string {
  if (word === undefined) return '';
  return plainText(word.value)
    .replace(/^.*[\\/]/s, '')
    .toLowerCase()
    .replace(/(?<=.)\.(?:exe|cmd|bat)$/, '');
}

const invisible = /(?![\n\t])\p{Cc}|\p{Cf}|\p{Default_Ignorable_Code_Point}|[\u2028\u2029]|\u2800|\u{1d159}|\p{Cs}/u;
const everyInvisible = new RegExp(invisible, 'gu');
const printable = /^[\x20-\x7e\n\t]*$/;

/** True for a text with control or other characters that cannot be seen; line ends and tabs are no such characters. */
export function holdsInvisible(text: string): boolean {
  return !printable.test(text) && invisible.test(text);
}

/**
 * Folds compatibility forms (NFKC) and drops control and invisible characters, so that a disguised word compares equal.
 */
export function plainText(text: string): string {
  return printable.test(text) ? text : text.normalize('NFKC').replace(everyInvisible, '').trim();
}
