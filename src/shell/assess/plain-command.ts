import { argumentsOf } from '../parse/arguments-of.js';
import type { CommandWord, SimpleCommand } from '../parse/simple-command.js';
import type { Arguments } from '../programs/arguments.js';
import { plainText, programName } from '../programs/words.js';

/** The groups of commands that are denied. */
export type DenyCategory =
  | 'destructive-files'
  | 'disk'
  | 'system-control'
  | 'fork-bomb'
  | 'remote-code'
  | 'reverse-shell'
  | 'eval-injection';

/** A finding of a deny rule. `targets` are the known target paths of a deletion. */
export interface Denial {
  readonly category: DenyCategory;
  readonly text: string;
  readonly targets?: readonly string[];
}

/** A command for deny rules, with obfuscation removed. */
export interface PlainCommand {
  readonly command: SimpleCommand;
  /** Program name without folder, lower case. */
  readonly name: string;
  /** The words after the program. */
  readonly words: readonly string[];
  readonly read: Arguments<CommandWord>;
}

/** A deny rule: checks a command, and where it matters also the commands before it in the pipe and inside its words. */
export type DenyRule = (call: PlainCommand) => Denial | undefined;

/** Normalizes look-alike and invisible characters, also a look-alike blank inside the program name. */
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
