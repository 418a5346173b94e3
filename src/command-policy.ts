import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { CommandPlaces } from './access/command-places.js';
import { shellNumbers } from './core/limits.js';
import type { HostFiles } from './files/host-files.js';
import { findsBelow, holdsNoSecrets } from './shell/holds-no-secrets.js';
import { assessCommand, type CommandAssessment } from './text/command/assess-command.js';
import { mayLeaveFolder } from './text/command/sensitive-path.js';
import type { ShellSettings } from './toolkit-options.js';

/** What {@link commandPaths} works with. */
export interface CommandPathsOptions {
  /** The root of the files that tools work on. */
  readonly root: string;
  /** The disk, where tools work on it. */
  readonly disk: HostFiles | undefined;
  readonly settings?: ShellSettings | undefined;
  /** The folders that a command may start in besides the root, where `cd` lasts. */
  readonly folders?: () => readonly string[];
  /** Whether a rule keeps an absolute path from being shown without asking. Default: none does. */
  readonly isHidden?: (path: string) => boolean;
}

/**
 * What a workspace knows of the paths a command names: those inside its roots that no rule hides are harmless to read, and may be open to deletion.
 * A relative path is inside when it is so from each folder that a command may start in.
 */
export function commandPaths({
  root,
  disk,
  settings = {},
  folders = () => [],
  isHidden = () => false,
}: CommandPathsOptions): CommandPlaces {
  const starts = () => [root, ...folders()];
  const everywhere = (path: string, isSo: (absolute: string) => boolean) =>
    /^[/~]/.test(path) ? isSo(path) : starts().every((folder) => isSo(`${folder}/${path}`));
  const isShown = (path: string) => !isHidden(resolve(path)) && !isHidden(realPath(resolve(path)));
  const places: CommandPlaces = {
    folders: starts,
    real: disk === undefined ? (path) => path : realPath,
    holds: (folder, test) => (disk === undefined ? undefined : findsBelow(folder, test, shellNumbers.maxSearchedEntries)),
    isInside: (path) =>
      (disk === undefined ? !mayLeaveFolder(path) : everywhere(path, (absolute) => disk.contains(absolute))) &&
      // Behind a colon stands a path in a revision.
      [path, path.replace(/^[^:]*:/, '')].every((each) => everywhere(each, isShown)),
    holdsNoSecrets: (path) =>
      disk !== undefined &&
      !path.startsWith('~') &&
      starts().every((folder) => holdsNoSecrets(path, folder, shellNumbers.maxSearchedEntries, isHidden)),
  };
  if (disk === undefined || settings.allowRecursiveDeleteInside !== true) return places;
  return { ...places, allowRecursiveDelete: (path) => everywhere(path, (absolute) => disk.contains(absolute, 'below')) };
}

/** Judges commands with what is known of the paths they name. */
export function commandPolicy(paths: CommandPlaces): (command: string) => CommandAssessment {
  return (command) => assessCommand(command, paths);
}

/** Follows the links of the part of a path that exists. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}
