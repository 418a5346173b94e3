import { shellNumbers } from './core/limits.js';
import type { CommandPaths } from './core/tool.js';
import type { HostFiles } from './files/host-files.js';
import { holdsNoSecrets } from './shell/holds-no-secrets.js';
import { assessCommand, type CommandAssessment } from './text/command/assess-command.js';
import type { ShellSettings } from './toolkit-options.js';

/**
 * What a workspace knows of the paths a command names: those inside its roots are harmless to read, and may be open to deletion.
 * `folders` are those a command may start in besides the root, where `cd` lasts: a relative path is inside when it is so from each of them.
 */
export function commandPaths(
  files: HostFiles | undefined,
  settings: ShellSettings = {},
  folders: () => readonly string[] = () => [],
): CommandPaths {
  if (files === undefined) return {};
  const { root } = files;
  const everywhere = (path: string, isSo: (absolute: string) => boolean) =>
    /^[/~]/.test(path) ? isSo(path) : [root, ...folders()].every((folder) => isSo(`${folder}/${path}`));
  const paths: CommandPaths = {
    isInside: (path) => everywhere(path, (absolute) => files.contains(absolute)),
    holdsNoSecrets: (path) =>
      !path.startsWith('~') && [root, ...folders()].every((folder) => holdsNoSecrets(path, folder, shellNumbers.maxSearchedEntries)),
  };
  if (settings.allowRecursiveDeleteInside !== true) return paths;
  return { ...paths, allowRecursiveDelete: (path) => everywhere(path, (absolute) => files.contains(absolute, 'below')) };
}

/** Judges commands with what is known of the paths they name. */
export function commandPolicy(paths: CommandPaths): (command: string) => CommandAssessment {
  return (command) => assessCommand(command, paths);
}
