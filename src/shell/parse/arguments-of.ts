import type { Arguments } from '../programs/arguments.js';
import { readArguments } from '../programs/read-arguments.js';
import { wordsOf } from './passed-words.js';
import type { CommandWord, SimpleCommand } from './simple-command.js';

const known = new WeakMap<SimpleCommand, Arguments<CommandWord>>();

/** The words of a command as its program reads them. */
export function argumentsOf(command: SimpleCommand): Arguments<CommandWord> {
  const read = known.get(command) ?? readArguments(wordsOf(command));
  known.set(command, read);
  return read;
}
