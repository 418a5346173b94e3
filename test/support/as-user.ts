import { spawnSync } from 'node:child_process';
import { chownSync } from 'node:fs';

const nobody = 65_534;
const isRoot = process.getuid?.() === 0;

/** Runs a program as an ordinary user: the current one, or `nobody` if the current user is root. Returns its output. */
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

/** Makes that user the owner of a file or folder. */
export function giveToOrdinaryUser(path: string): void {
  if (isRoot) chownSync(path, nobody, nobody);
}
