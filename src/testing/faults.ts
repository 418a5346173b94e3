import { waitFor } from '../core/support/timer.js';
import { decorateFiles } from '../files/mounts/decorate-files.js';
import type { FileSystem } from '../ports/file-system.js';
import { faultyFiles } from './faulty-files.js';
import { type ScriptedShell, scriptedShell } from './scripted-shell.js';

/** Files on a full disk: every update fails with `storage_failed` and changes nothing. */
export function fullDisk(files: FileSystem): FileSystem {
  return faultyFiles(files, ({ operation }) => (operation === 'update' ? 'ENOSPC' : undefined));
}

/** Files of which some fail as without permission. */
export function deniedFiles(files: FileSystem, isDenied: (path: string) => boolean = () => true): FileSystem {
  return faultyFiles(files, ({ operation, path }) =>
    operation !== 'resolve' && isDenied(path) ? 'EACCES' : undefined,
  );
}

/** Files that take a time to open; an abort ends the wait. */
export function slowFiles(files: FileSystem, delayMs: number): FileSystem {
  return decorateFiles(files, {
    async open(path, scope) {
      await waitFor(delayMs, scope.signal);
      return files.open(path, scope);
    },
  });
}

/** A shell in which every command hangs until its abort or time limit. */
export function hangingShell(): ScriptedShell {
  return scriptedShell(() => 'hangs');
}
