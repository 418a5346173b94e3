import { argumentsOf } from '../parse/arguments-of.js';
import type { CommandWord, SimpleCommand } from '../parse/simple-command.js';
import type { Arguments } from '../programs/arguments.js';
import { plainText, programName } from '../words/command-word.js';

/** The groups of commands that are refused outright. */
export type DenyCategory =
  | 'destructive-files'
  | 'disk'
  | 'system-control'
  | 'fork-bomb'
  | 'remote-code'
  | 'reverse-shell'
  | 'eval-injection';

/** A finding of one deny rule. `targets` are the paths a deletion is aimed at, as far as they are known. */
export interface Denial {
  readonly category: DenyCategory;
  readonly text: string;
  readonly targets?: readonly string[];
}

/** A command as deny rules look at it: disguises folded away. */
export interface PlainCommand {
  readonly command: SimpleCommand;
  /** Program name without folder, in lower case. */
  readonly name: string;
  /** The words after the program. */
  readonly words: readonly string[];
  readonly read: Arguments<CommandWord>;
}

/** One rule: looks at a command, and where it matters at the commands before it in the pipe and inside its words. */
export type DenyRule = (call: PlainCommand) => Denial | undefined;

/** Folds look-alike and invisible characters, a blank in disguise inside the program name included. */
export function toPlain(command: SimpleCommand): PlainCommand {
  const argv = command.argv.flatMap((word, index) => {
    const value = plainText(word.value);
    if (value === word.value) return [word];
    return index > 0 ? [{ ...word, value }] : value.split(' ').map((piece) => ({ ...word, value: piece }));
  });
  const isSame = argv.every((word, index) => word === command.argv[index]);
  const plain = isSame ? command : { ...command, argv };
  const words = argv.slice(1).map((word) => word.value);
  return { command: plain, name: programName(argv[0]), words, read: argumentsOf(plain) };
}
