import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { CommandPaths } from '../core/tool.js';
import { type CommandReading, programName } from '../text/command/simple-command.js';

/** What a toolkit knows of the folders its commands start in, beside what every host may tell. */
export interface CommandPlaces extends CommandPaths {
  /** The folders that a command may start in, the root first; relative patterns of rules start there. */
  readonly folders: () => readonly string[];
  /** An absolute path with its links followed, as far as it exists. */
  readonly real: (path: string) => string;
  /** Whether a file of which the test is true is below a folder; undefined where there is too much to look at. */
  readonly holds: (folder: string, test: (path: string) => boolean) => boolean | undefined;
}

const maxFolders = 32;

/** The places a target brings along, or those that follow from the root alone. */
export function placesOf(paths: CommandPaths | undefined, root: string): CommandPlaces {
  if (paths !== undefined && 'folders' in paths) return paths as CommandPlaces;
  return { folders: () => [root], real: (path) => path, holds: () => undefined };
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
    folders = [...new Set([...folders, ...folders.map((folder) => resolve(folder, entered))])].slice(0, maxFolders);
  }
  return folders;
}

function enteredWords(reading: CommandReading) {
  return reading.commands
    .filter(({ argv }) => /^(?:cd|pushd|chdir)$/.test(programName(argv[0])))
    .flatMap(({ argv }) => argv.slice(1).find(({ value, kind }) => kind === 'computed' || value === '-' || !value.startsWith('-')) ?? []);
}
