import { closeSync, existsSync, readFileSync, rmSync } from 'node:fs';
import type { Caller } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import { shellNumbers } from '../../core/numbers.js';
import type { Shell, ShellOutcome } from '../../ports/shell.js';
import type { OutputFolder } from '../output/output-folder.js';
import { shellQuote } from '../words/shell-quote.js';
import { isAllowedDirectory } from './working-directory.js';

/** What {@link rememberDirectories} works with. */
export interface DirectoryOptions {
  /** Takes a small file for each command, for the time it runs. */
  readonly folder: OutputFolder;
  /** Folders a session may stay in; the first is where it begins. */
  readonly roots: readonly string[];
  /**
   * The folder of this machine that a command meant which ended in `directory`; undefined where there is none. Default:
   * the same.
   */
  readonly hostPath?: ((directory: string, outcome: ShellOutcome) => string | undefined) | undefined;
}

/** A shell that remembers where its sessions stand. */
export interface PersistentShell extends Shell {
  /** Where the sessions stand that are not where they began. */
  directories(): readonly string[];
  /** Puts the agents of a session back to where they began. */
  endSession(sessionId: string): void;
}

/**
 * A shell in which `cd` lasts: a command starts where the last one of the same session and agent ended, inside the
 * roots. Commands in the background, also those that went there at a time limit, start there too and do not move it; a
 * command with a directory of its own does neither.
 */
export function rememberDirectories(
  shell: Shell,
  { folder, roots, hostPath = (directory) => directory }: DirectoryOptions,
): PersistentShell {
  const directories = new Map<string, string>();
  return {
    directories: () => [...new Set(directories.values())],
    endSession: (sessionId) => {
      for (const key of directories.keys()) if (key.startsWith(sessionOf({ sessionId }))) directories.delete(key);
    },
    run: async (request, scope) => {
      if (request.cwd !== undefined) return await shell.run(request, scope);
      const session = sessionOf(scope.caller);
      const cwd = directories.get(session);
      if (cwd !== undefined && !isAllowedDirectory(cwd, roots)) {
        directories.delete(session);
        throw new ToolError(
          'execution_failed',
          `The working directory ${cwd} is no folder of the workspace any more; the command was not run. ` +
            `The next one runs in ${roots[0]}.`,
        );
      }
      if (request.isBackground === true) return await shell.run({ ...request, cwd }, scope);
      const note = folder.create('cwd');
      closeSync(note.fd);
      try {
        const outcome = await shell.run(
          { ...request, cwd, command: noting(request.command, note.path), files: [note.path] },
          scope,
        );
        return request.isAwaited?.() === false ? outcome : moved(outcome, readNote(note.path), session);
      } finally {
        rmSync(note.path, { force: true });
      }
    },
  };

  function moved(outcome: ShellOutcome, noted: string, session: string): ShellOutcome {
    if (noted === '') return outcome;
    directories.delete(session);
    const directory = hostPath(noted, outcome);
    if (directory === undefined || !isAllowedDirectory(directory, roots)) {
      const isGone = directory !== undefined && !existsSync(directory);
      const reason = isGone ? 'was removed' : 'is outside the workspace';
      return { ...outcome, note: `[${noted} ${reason}; the next command runs in ${roots[0]}]` };
    }
    directories.set(session, directory);
    const [oldest] = directories.keys();
    if (directories.size > shellNumbers.maxSessions && oldest !== undefined) directories.delete(oldest);
    return outcome;
  }
}

/** Where the command ended; empty when it did not say. */
function readNote(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8').replace(/\n$/, '') : '';
}

function sessionOf({ sessionId, agentId = '' }: Caller): string {
  return `${sessionId}\n${agentId}`;
}

/**
 * The command with a trap in front that writes down where it ended, even where it removed that folder. A trap of its own
 * takes its place; then the directory stays.
 */
function noting(command: string, path: string): string {
  return `trap ${shellQuote(`{ pwd -P || echo "$PWD"; } >${shellQuote(path)} 2>/dev/null`)} EXIT; ${command}`;
}
