import type { HostFiles } from './files/host-files.js';
import { assessCommand, type CommandAssessment } from './text/command/assess-command.js';
import type { ShellSettings } from './toolkit-options.js';

/** Judges commands as they would run in a workspace: paths inside its roots are known to be harmless to read, and may be open to deletion. */
export function commandPolicy(files: HostFiles | undefined, settings: ShellSettings = {}): (command: string) => CommandAssessment {
  if (files === undefined) return (command) => assessCommand(command);
  const isInside = (path: string) => files.contains(path);
  const options =
    settings.allowRecursiveDeleteInside === true
      ? { isInside, allowRecursiveDelete: (path: string) => files.contains(path, 'below') }
      : { isInside };
  return (command) => assessCommand(command, options);
}
