import { existsSync, readdirSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { isInside } from '../../core/paths/is-inside.js';
import { canonical } from './mount-plan.js';

const systemFolders = ['/bin', '/boot', '/dev', '/etc', '/lib', '/nix', '/proc', '/sbin', '/sys', '/usr'];
/** What service accounts and a wrong `HOME` name: nothing of a user is kept there, and nothing runs without it. */
const noHomes = ['/', ...systemFolders, '/usr/bin', '/usr/sbin'];

/** Whether a canonical path is of the system, and not of a user. */
export function isOfSystem(path: string): boolean {
  return path === '/' || isInside(path, systemFolders);
}

/** The home folders of this account: what the system says, and what `HOME` says, which may be anything. */
export function ownHomes(): readonly string[] {
  return [...new Set([accountHome(), homedir()])].filter((path) => {
    const real = isAbsolute(path) ? canonical(path) : undefined;
    return real !== undefined && !noHomes.includes(real);
  });
}

/** An expression for a name with `*` and `{a,b}`; the package for globs weighs more than the rest of this entry. */
function nameForm(part: string): RegExp {
  const source = part
    .replace(/[.+]/g, '\\$&')
    .replaceAll('*', '.*')
    .replace(/\{([^}]*)\}/g, (_, names: string) => `(?:${names.replaceAll(',', '|')})`);
  return new RegExp(`^${source}$`, 's');
}

/** What is there of the paths that a pattern stands for. */
export function pathsOf(folder: string, pattern: string): readonly string[] {
  return pattern.split('/').reduce<readonly string[]>(
    (found, part) => {
      // Most are not there, and each further look at them takes its time.
      if (!/[*{]/.test(part)) return found.map((path) => join(path, part)).filter((path) => existsSync(path));
      const form = nameForm(part);
      return found.flatMap((path) => namesIn(path).flatMap((name) => (form.test(name) ? [join(path, name)] : [])));
    },
    [folder],
  );
}

/** The names in a folder; none where it is missing or out of reach. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function accountHome(): string {
  try {
    return userInfo().homedir;
  } catch {
    // A user id without an account, as in containers.
    return '';
  }
}
