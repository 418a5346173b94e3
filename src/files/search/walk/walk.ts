import { basename, dirname } from 'node:path';
import type { Folders } from './folders.js';
import { type IgnoreScope, isIgnored, parentScope, scopeInside } from './ignore-scope.js';

/** Whether a walk includes an entry; `unknown` leaves the decision to the ignore rules. */
export type EntryFilter = (path: string, name: string, isDirectory: boolean) => 'in' | 'out' | 'unknown';

/** Options of a walk. */
export interface WalkOptions {
  readonly folders: Folders;
  readonly start: string;
  /** Applied before the ignore rules: a glob. */
  readonly first: EntryFilter;
  /** Applied to files that are not ignored. */
  readonly last: (name: string) => boolean;
  /** Called for each folder that cannot be read, and for each entry whose name is not UTF-8. */
  readonly onUnreadable: () => void;
}

interface Folder {
  readonly path: string;
  readonly scope: IgnoreScope;
}

/**
 * Visits the regular files below a folder, including hidden files, but not `.git` and ignored files. Yields undefined
 * for each folder. Links are neither visited nor entered.
 */
export function* walkFiles(options: WalkOptions): Generator<string | undefined> {
  const { folders, start, onUnreadable } = options;
  const waiting: Folder[] = [{ path: start, scope: parentScope(start, folders.rules) }];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    yield undefined;
    const entries = folders.list(folder.path);
    if (entries === undefined) {
      onUnreadable();
      continue;
    }
    const has = (name: string) => entries.some((entry) => entry.name === name);
    const scope = scopeInside(folder.scope, folder.path, has, folders.rules);
    const base = folder.path.endsWith('/') ? folder.path : `${folder.path}/`;
    for (const entry of entries) {
      const isDirectory = entry.isDirectory();
      if (!isDirectory && !entry.isFile()) continue;
      const path = base + entry.name;
      if (!isVisible(path, entry.name, isDirectory, scope, options)) continue;
      if (folders.isUnnameable(path, entry.name)) {
        onUnreadable();
        continue;
      }
      if (isDirectory) waiting.push({ path, scope });
      else yield path;
    }
  }
}

/** Whether a walk from `relativeTo` would reach the folder `start`, which is that folder or below it. */
export function isReached(start: string, relativeTo: string, first: EntryFilter): boolean {
  if (start.length <= relativeTo.length) return true;
  return isReached(dirname(start), relativeTo, first) && first(start, basename(start), true) !== 'out';
}

function isVisible(
  path: string,
  name: string,
  isDirectory: boolean,
  scope: IgnoreScope,
  options: WalkOptions,
): boolean {
  if (name === '.git') return false;
  const verdict = options.first(path, name, isDirectory);
  if (verdict !== 'unknown') return verdict === 'in';
  if (isIgnored(scope, path, name, isDirectory)) return false;
  return isDirectory || options.last(name);
}
