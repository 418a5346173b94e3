import { closeSync, existsSync, readFileSync, rmSync } from 'node:fs';
import type { Caller } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import { shellNumbers } from '../../core/fixed-limits.js';
import { LatestMap } from '../../core/support/latest-map.js';
import { shellQuote } from '../../core/text/shell-quote.js';
import type { Shell, ShellOutcome } from '../../ports/shell.js';
import type { OutputFolder } from '../output/folder.js';
import { noted } from './choose-sandbox.js';
import { isAllowedDirectory } from './start-process.js';

export interface DirectoryOptions {
  /** Folder for a small temporary file of each command. */
  readonly folder: OutputFolder;
  /** Folders a session may stay in; the first is the start folder. */
  readonly roots: readonly string[];
  /** Maps the final directory of a command to a local folder; undefined for none. Default: the same path. */
  readonly hostPath?: ((directory: string, outcome: ShellOutcome) => string | undefined) | undefined;
}

/** A shell that remembers the working directory of each session. */
export interface PersistentShell extends Shell {
  /** The recorded working directories of all sessions. */
  directories(): readonly string[];
  /** Resets the agents of a session to the start folder. */
  endSession(sessionId: string): void;
}

/**
 * A shell in which `cd` persists: a command starts in the directory in which the last command of the same session and
 * agent ended, if that directory is inside the roots. A background command starts there but does not change the
 * directory of the session; this includes a command that moves to the background at its time limit. A command with a
 * `cwd` neither uses nor changes the directory of the session.
 */
export function rememberDirectories(
  shell: Shell,
  { folder, roots, hostPath = (directory) => directory }: DirectoryOptions,
): PersistentShell {
  const directories = new LatestMap<string, string>(shellNumbers.maxSessions);
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
          `The working directory ${cwd} is no longer a folder of the workspace; the command was not run. ` +
            `The next command runs in ${roots[0]}.`,
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

  function moved(outcome: ShellOutcome, final: string, session: string): ShellOutcome {
    if (final === '') return outcome;
    directories.delete(session);
    const directory = hostPath(final, outcome);
    if (directory === undefined || !isAllowedDirectory(directory, roots)) {
      const isGone = directory !== undefined && !existsSync(directory);
      const reason = isGone ? 'was removed' : 'is outside the workspace';
      return noted(outcome, `[${final} ${reason}; the next command runs in ${roots[0]}]`);
    }
    directories.set(session, directory);
    return outcome;
  }
}

/** The final directory of the command; empty if unknown. */
function readNote(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8').replace(/\n$/, '') : '';
}

function sessionOf({ sessionId, agentId = '' }: Caller): string {
  return `${sessionId}\n${agentId}`;
}

/**
 * Adds an EXIT trap that writes the final directory to `path`, even if the directory was removed. If the command sets
 * its own EXIT trap, the directory of the session does not change.
 */
function noting(command: string, path: string): string {
  return `trap ${shellQuote(`{ pwd -P || echo "$PWD"; } >${shellQuote(path)} 2>/dev/null`)} EXIT; ${command}`;
}
