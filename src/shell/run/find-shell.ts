import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ToolError } from '../../core/error.js';
import { needsBash, parseShell } from '../parse/shell-syntax.js';

/** A program that runs command lines. */
export interface ShellProgram {
  readonly file: string;
  readonly isBash: boolean;
  /** Arguments that run one command line, without startup files and not as a login shell. */
  argumentsFor(command: string): string[];
}

/** Finds bash in `/bin`, else in PATH, else the system's `sh`, which only runs commands that it reads as Bash does. */
export function findShell(
  searchPath: string = process.env.PATH ?? '',
  isProgram: (file: string) => boolean = isExecutable,
): ShellProgram {
  const bash = ['/bin', ...searchPath.split(delimiter).filter((folder) => folder.startsWith('/'))]
    .map((folder) => join(folder, 'bash'))
    .find(isProgram);
  if (bash === undefined) return { file: '/bin/sh', isBash: false, argumentsFor: argumentsForPosixShell };
  return { file: bash, isBash: true, argumentsFor: (command) => ['--noprofile', '--norc', '-c', '--', command] };
}

/**
 * Throws `invalid_input` for a command that this shell would read differently than the safety check, which parses it as
 * Bash.
 */
function argumentsForPosixShell(command: string): string[] {
  if (needsBash(parseShell(command)))
    throw new ToolError(
      'invalid_input',
      "This machine has no bash, and its sh reads [[ ]], (( )), $'…' and &> differently. Write the command without them.",
    );
  return ['-c', '--', command];
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
