import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A program that runs command lines. */
export interface ShellProgram {
  readonly file: string;
  readonly isBash: boolean;
  /** Arguments that run one command line, without startup files and not as a login shell. */
  argumentsFor(command: string): string[];
}

/** Finds bash in `/bin`, else in PATH, else the system's `sh`. */
export function findShell(searchPath: string = process.env.PATH ?? ''): ShellProgram {
  const bash = ['/bin', ...searchPath.split(delimiter).filter((folder) => folder.startsWith('/'))]
    .map((folder) => join(folder, 'bash'))
    .find(isExecutable);
  if (bash === undefined) return { file: '/bin/sh', isBash: false, argumentsFor: (command) => ['-c', '--', command] };
  return { file: bash, isBash: true, argumentsFor: (command) => ['--noprofile', '--norc', '-c', '--', command] };
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
