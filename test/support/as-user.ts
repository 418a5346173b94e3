import { spawnSync } from 'node:child_process';
import { chownSync } from 'node:fs';

const nobody = 65_534;
const isRoot = process.getuid?.() === 0;

/**
 * Runs a program as a user without rights: as this one, or where this is root as nobody. Answers everything it printed.
 */
export function asOrdinaryUser(file: string, words: readonly string[], env: Readonly<Record<string, string>>): string {
  const drop = [`--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', '--', file, ...words];
  const [program, all] = isRoot ? ['setpriv', drop] : [file, words];
  const { stdout, stderr, error } = spawnSync(program, all, {
    encoding: 'utf8',
    timeout: 60_000,
    env: { PATH: process.env.PATH, ...env },
  });
  if (error !== undefined) throw error;
  return stdout + stderr;
}

/** Hands a file or folder to that user. */
export function giveToOrdinaryUser(path: string): void {
  if (isRoot) chownSync(path, nobody, nobody);
}
