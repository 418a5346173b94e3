import { type Dirent, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { globMatcher } from '../../core/paths/glob-matcher.js';
import { isSecretPath } from '../../core/paths/sensitive-paths.js';

/**
 * Whether a folder with everything below it, or everything a pattern of file names can stand for, holds no file whose
 * name tells of secrets, or would be an option. Only plain files and folders count as known: a link leads elsewhere. What `isHidden` says of a
 * path counts as its name does. Past `maxEntries` it gives up and answers no; it never throws.
 */
export function holdsNoSecrets(
  pathOrPattern: string,
  from: string,
  maxEntries: number,
  isHidden: (path: string) => boolean = () => false,
): boolean {
  // Behind a link the way up leads elsewhere than it looks.
  if (pathOrPattern.split('/').includes('..')) return false;
  try {
    const start = resolve(from, fixedPart(pathOrPattern));
    const isSecret = (path: string) => isSecretPath(path) || isHidden(path);
    if (isSecret(start)) return false;
    const stat = lstatSync(start);
    if (stat.isFile()) return true;
    // Rules speak of canonical paths, and of what a folder on the way is in truth.
    return stat.isDirectory() && isHarmless(realpathSync(start), maxEntries, isSecret, namesMeant(pathOrPattern));
  } catch {
    return false;
  }
}

/**
 * Whether a file or folder of which the test is true is below a folder. Undefined where there are more than
 * `maxEntries`, a link to another folder, or what cannot be read; false for what is no folder.
 */
export function findsBelow(folder: string, test: (path: string) => boolean, maxEntries: number): boolean | undefined {
  try {
    const start = realpathSync(folder);
    if (!lstatSync(start).isDirectory()) return false;
    let entries = 0;
    const folders = [start];
    for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
      const listed = readdirSync(next, { withFileTypes: true });
      entries += listed.length;
      if (entries > maxEntries) return undefined;
      for (const entry of listed) {
        const path = join(next, entry.name);
        if (test(path)) return true;
        if (entry.isSymbolicLink()) {
          const real = realpathSync(path);
          if (test(real)) return true;
          if (!real.startsWith(`${start}/`) && lstatSync(real).isDirectory()) return undefined;
        } else if (entry.isDirectory()) folders.push(path);
      }
    }
    return false;
  } catch {
    return undefined;
  }
}

/** The folder above the first part with a pattern; the path itself where there is none. */
function fixedPart(pathOrPattern: string): string {
  const parts = pathOrPattern.split('/');
  const first = parts.findIndex((part) => /[*?[\]{}()!~]/.test(part));
  if (first === -1) return pathOrPattern;
  return first === 0 ? '.' : parts.slice(0, first).join('/') || '/';
}

/** Which names right below the fixed part a pattern stands for, where only its last part is one; else all of them. */
function namesMeant(pathOrPattern: string): (name: string) => boolean {
  const [, segment] = /^(?:[^*?[\]{}()!~\\]*\/)?([\w.*?-]*[*?][\w.*?-]*)$/.exec(pathOrPattern) ?? [];
  if (segment === undefined) return () => true;
  const isMatch = globMatcher(segment, { nocase: true });
  return (name) => isMatch(name) && (segment.startsWith('.') || !name.startsWith('.'));
}

function isHarmless(
  start: string,
  maxEntries: number,
  isSecret: (path: string) => boolean,
  isMeant: (name: string) => boolean,
): boolean {
  const folders = [start];
  let entries = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const listed = readdirSync(folder, { withFileTypes: true });
    entries += listed.length;
    if (entries > maxEntries) return false;
    for (const entry of listed) {
      const path = join(folder, entry.name);
      if (folder === start && !isMeant(entry.name)) continue;
      // A program takes such a name for an option.
      if (!isPlain(entry) || isSecret(path) || entry.name.startsWith('-')) return false;
      if (entry.isDirectory()) folders.push(path);
    }
  }
  return true;
}

function isPlain(entry: Dirent): boolean {
  return entry.isFile() || entry.isDirectory();
}
