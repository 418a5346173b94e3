import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { enteredWords } from '../../command/effects/entered-words.js';
import type { CommandReading } from '../../command/read/simple-command.js';
import { accessNumbers } from '../../core/numbers.js';
import type { CommandPaths } from '../../core/tool.js';

/** What is known of the folders that commands start in, in full. */
export interface CommandPlaces extends Omit<CommandPaths, PlaceName>, Required<Pick<CommandPaths, PlaceName>> {}

type PlaceName = 'folders' | 'real' | 'matched' | 'holds';

/** The places a target brings along, and what follows from the root alone for those that it does not. */
export function placesOf(paths: CommandPaths | undefined, root: string): CommandPlaces {
  return { folders: () => [root], real: (path) => path, matched: () => [], holds: () => undefined, ...paths };
}

/** The absolute paths that a path of a line may mean, from each of the folders that it may be in. */
export function absolutePaths(path: string, folders: readonly string[]): readonly string[] {
  const fromHome = path.replace(/^~\+(?=\/|$)/, '.').replace(/^~(?=\/|$)/, () => homedir());
  if (fromHome.startsWith('/')) return [resolve(fromHome)];
  return folders.map((folder) => resolve(folder, fromHome));
}

/**
 * The folders that a line may be in: each it may start in and each that it enters; undefined where these are too many
 * or only running it would tell.
 */
export function enteredFolders(reading: CommandReading, places: CommandPlaces): readonly string[] | undefined {
  const folders = new Set(places.folders());
  const maxFolders = accessNumbers.maxFolders + folders.size;
  for (const { kind, value } of enteredWords(reading)) {
    if (kind === 'computed' || value === '-') return undefined;
    const entered = value.replace(/^~(?=\/|$)/, () => homedir());
    for (const folder of [...folders]) folders.add(resolve(folder, entered));
    if (folders.size > maxFolders) return undefined;
  }
  return [...folders];
}
