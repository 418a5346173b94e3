import { existsSync, readdirSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { isInside } from '../../core/paths/is-inside.js';
import { canonical } from './mount-plan.js';

const systemFolders = ['/bin', '/boot', '/dev', '/etc', '/lib', '/nix', '/proc', '/sbin', '/sys', '/usr'];
/** Values of `HOME` of service accounts and misconfigurations: they contain no user data and must stay readable. */
const noHomes = ['/', ...systemFolders, '/usr/bin', '/usr/sbin'];

/** Whether a canonical path belongs to the system, not to a user. */
export function isOfSystem(path: string): boolean {
  return path === '/' || isInside(path, systemFolders);
}

/** The home folders of this account: by the account database, and by `HOME`, which may be anything. */
export function ownHomes(): readonly string[] {
  return [...new Set([accountHome(), homedir()])].filter((path) => {
    const real = isAbsolute(path) ? canonical(path) : undefined;
    return real !== undefined && !noHomes.includes(real);
  });
}

/** A regular expression for a name with `*` and `{a,b}`; a glob package would be larger than the rest of this entry. */
function namePattern(part: string): RegExp {
  const source = part
    .replace(/[.+]/g, '\\$&')
    .replaceAll('*', '.*')
    .replace(/\{([^}]*)\}/g, (_, names: string) => `(?:${names.replaceAll(',', '|')})`);
  return new RegExp(`^${source}$`, 's');
}

/** The existing paths that match a pattern. */
export function pathsOf(folder: string, pattern: string): readonly string[] {
  return pattern.split('/').reduce<readonly string[]>(
    (found, part) => {
      // Most paths do not exist, so missing ones are dropped before further lookups.
      if (!/[*{]/.test(part)) return found.map((path) => join(path, part)).filter((path) => existsSync(path));
      const form = namePattern(part);
      return found.flatMap((path) => namesIn(path).flatMap((name) => (form.test(name) ? [join(path, name)] : [])));
    },
    [folder],
  );
}

/** The names in a folder; empty if missing or unreadable. */
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
    // The user id has no account, as in containers.
    return '';
  }
}
