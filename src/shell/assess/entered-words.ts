import { argumentsOf } from '../parse/arguments-of.js';
import type { CommandReading, CommandWord, SimpleCommand } from '../parse/simple-command.js';
import { programName } from '../words/command-word.js';

/** The folders that the commands of a line go to, or are told to work in, one after the other. */
export function enteredWords(reading: CommandReading): readonly CommandWord[] {
  return reading.commands.flatMap((command) =>
    /^(?:cd|pushd|chdir)$/.test(programName(command.argv[0])) ? (goalOf(command) ?? []) : workingFolders(command),
  );
}

/** The folders that a program is told to work in (`-C`). */
export function workingFolders(command: SimpleCommand): readonly CommandWord[] {
  return argumentsOf(command).values.flatMap(({ kind, word, option }) =>
    kind === 'folder' || (kind === 'intoPath' && /^(?:-C|--directory)$/.test(option ?? '')) ? [word] : [],
  );
}

function goalOf({ argv }: SimpleCommand): CommandWord | undefined {
  return argv.slice(1).find(({ value, kind }) => kind === 'computed' || value === '-' || !value.startsWith('-'));
}
