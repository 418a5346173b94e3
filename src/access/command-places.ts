import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { accessNumbers } from '../core/limits.js';
import type { CommandPaths } from '../core/tool.js';
import { type CommandReading, programName } from '../text/command/simple-command.js';

/** What is known of the folders that commands start in, in full. */
export interface CommandPlaces extends Omit<CommandPaths, PlaceName>, Required<Pick<CommandPaths, PlaceName>> {}

type PlaceName = 'folders' | 'real' | 'matched' | 'holds';

/** The places a target brings along, and what follows from the root alone for those that it does not. */
export function placesOf(paths: CommandPaths | undefined, root: string): CommandPlaces {
  return { folders: () => [root], real: (path) => path, matched: () => [], holds: () => undefined, ...paths };
}

/** The absolute paths that a path of a line may mean: from each folder it may start in and each that it enters. */
export function absolutePaths(path: string, reading: CommandReading, places: CommandPlaces): readonly string[] {
  const fromHome = path.replace(/^~(?=\/|$)/, () => homedir());
  if (fromHome.startsWith('/')) return [resolve(fromHome)];
  return foldersOf(reading, places).map((folder) => resolve(folder, fromHome));
}

/** True where a line goes to a folder that only running it would tell. */
export function entersUnknown(reading: CommandReading): boolean {
  return enteredWords(reading).some(({ kind, value }) => kind === 'computed' || value === '-');
}

function foldersOf(reading: CommandReading, places: CommandPlaces): readonly string[] {
  let folders = [...places.folders()];
  for (const { value } of enteredWords(reading)) {
    const entered = value.replace(/^~(?=\/|$)/, () => homedir());
    folders = [...new Set([...folders, ...folders.map((folder) => resolve(folder, entered))])].slice(0, accessNumbers.maxFolders);
  }
  return folders;
}

function enteredWords(reading: CommandReading) {
  return reading.commands
    .filter(({ argv }) => /^(?:cd|pushd|chdir)$/.test(programName(argv[0])))
    .flatMap(({ argv }) => argv.slice(1).find(({ value, kind }) => kind === 'computed' || value === '-' || !value.startsWith('-')) ?? []);
}
