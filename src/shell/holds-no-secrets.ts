import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isSecretPath } from '../text/command/sensitive-path.js';

/**
 * Whether a folder with everything below it, or everything a pattern of file names can stand for, holds no file whose name tells of secrets.
 * Only plain files and folders count as known: a link leads elsewhere. Past `maxEntries` it gives up and answers no; it never throws.
 */
export function holdsNoSecrets(pathOrPattern: string, from: string, maxEntries: number): boolean {
  // Behind a link the way up leads elsewhere than it looks.
  if (pathOrPattern.split('/').includes('..')) return false;
  try {
    const start = resolve(from, fixedPart(pathOrPattern));
    if (isSecretPath(start)) return false;
    const stat = lstatSync(start);
    if (stat.isFile()) return true;
    return stat.isDirectory() && isHarmless(start, maxEntries);
  } catch {
    return false;
  }
}

/** The folder above the first part with a pattern; the path itself where there is none. */
function fixedPart(pathOrPattern: string): string {
  const parts = pathOrPattern.split('/');
  const first = parts.findIndex((part) => /[*?[\]{}()!~]/.test(part));
  if (first === -1) return pathOrPattern;
  return first === 0 ? '.' : parts.slice(0, first).join('/') || '/';
}

function isHarmless(start: string, maxEntries: number): boolean {
  const folders = [start];
  let entries = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const listed = readdirSync(folder, { withFileTypes: true });
    entries += listed.length;
    if (entries > maxEntries) return false;
    for (const entry of listed) {
      const path = join(folder, entry.name);
      if (!isPlain(entry) || isSecretPath(path)) return false;
      if (entry.isDirectory()) folders.push(path);
    }
  }
  return true;
}

function isPlain(entry: Dirent): boolean {
  return entry.isFile() || entry.isDirectory();
}
