import type { CommandWord, SimpleCommand } from '../parse/simple-command.js';
import type { Arguments } from '../programs/arguments.js';
import { computedWord, literalWord } from '../programs/command-words.js';

/**
 * The folders that commands of a line change to or get as a working directory, in order. A relative `cd` in a loop or a
 * function is a computed word, because it enters another folder each time.
 */
export function enteredWords(commands: readonly SimpleCommand[]): readonly CommandWord[] {
  return commands.flatMap(({ read, repeated, functions }) => {
    const isOften = changesFolder(read.name) && (repeated || functions.length > 0);
    return foldersIn(read).map((word) => (isOften && !/^[/~]/.test(word.value) ? computedWord(word.text) : word));
  });
}

/** Whether a command changes the working directory of the shell. */
export function changesFolder(name: string): boolean {
  return name === 'cd' || name === 'pushd';
}

/** The working directories that a call names: in options (`-C`), or as the operand of `cd`. */
export function foldersIn({ name, program, values, effects }: Arguments<CommandWord>): readonly CommandWord[] {
  const folders = values.filter(
    ({ kind, option = '' }) => kind === 'folder' || program?.options.get(option)?.effects.includes('enters'),
  );
  if (folders.length > 0) return folders.map(({ word }) => word);
  // `find -execdir` works in the folder of each file that it finds.
  return name === 'cd' ? [literalWord('~')] : effects.has('enters') ? [computedWord('-execdir')] : [];
}
