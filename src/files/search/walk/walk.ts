import { basename, dirname } from 'node:path';
import type { FolderEntry, Folders } from './folder-source.js';
import type { OnUnreadable } from './ignore-rules.js';
import { type IgnoreScope, isIgnored, parentScope, scopeInside } from './ignore-scope.js';

/** An entry of a folder, with the state of the search in that folder and the ignore rules that apply there. */
export interface WalkEntry<State> {
  readonly entry: FolderEntry;
  readonly path: string;
  readonly isDirectory: boolean;
  readonly folder: { readonly path: string; readonly state: State };
  readonly scope: IgnoreScope;
}

const entriesInStep = 100;

/**
 * Walks through a folder and the folders below, without `.git` and links to folders. `visit` returns undefined for an
 * entry to leave out, and the state for any other entry. Yields the files, and undefined when the search may pause.
 * Calls `onUnreadable` for each folder and ignore file that cannot be read, and for each entry whose name is not UTF-8.
 */
export function* walk<State>(
  folders: Folders,
  first: { readonly path: string; readonly state: State },
  onUnreadable: OnUnreadable,
  visit: (entry: WalkEntry<State>) => State | undefined,
): Generator<string | undefined> {
  const { rules } = folders;
  const waiting = [{ ...first, outer: parentScope(first.path, rules, onUnreadable) }];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    yield undefined;
    const entries = folders.list(folder.path);
    if (entries === undefined) {
      onUnreadable(folder.path);
      continue;
    }
    const has = (name: string) => entries.some((one) => one.name === name);
    const scope = scopeInside(folder.outer, folder.path, has, rules, onUnreadable);
    const base = folder.path.endsWith('/') ? folder.path : `${folder.path}/`;
    for (const [index, entry] of entries.entries()) {
      if (index % entriesInStep === entriesInStep - 1) yield undefined;
      if (entry.name === '.git') continue;
      const path = base + entry.name;
      const isDirectory = entry.isDirectory();
      const state = visit({ entry, path, isDirectory, folder, scope });
      if (state === undefined) continue;
      if (folders.isUnnameable(path, entry.name)) onUnreadable(path);
      else if (isDirectory) waiting.push({ path, state, outer: scope });
      else yield path;
    }
  }
}

/** Whether a walk includes an entry; `unknown` leaves the decision to the ignore rules. */
export type EntryFilter = (path: string, name: string, isDirectory: boolean) => 'in' | 'out' | 'unknown';

export interface WalkFilesOptions {
  readonly folders: Folders;
  readonly start: string;
  /** The filter by glob, applied before the ignore rules. */
  readonly first: EntryFilter;
  /** The filter by file type, applied to files that are not ignored and for which `first` returns `unknown`. */
  readonly last: (name: string) => boolean;
  readonly onUnreadable: OnUnreadable;
}

/**
 * Visits the regular files below a folder, including hidden files; see {@link walk}. Ignored files are left out unless
 * `first` includes them.
 */
export function walkFiles({ folders, start, first, last, onUnreadable }: WalkFilesOptions) {
  return walk(folders, { path: start, state: true }, onUnreadable, ({ entry, path, isDirectory, scope }) => {
    const { name } = entry;
    if (!isDirectory && !entry.isFile()) return undefined;
    const verdict = first(path, name, isDirectory);
    const isVisible =
      verdict === 'unknown'
        ? !isIgnored(scope, path, name, isDirectory) && (isDirectory || last(name))
        : verdict === 'in';
    return isVisible ? true : undefined;
  });
}

/** Whether a walk from `relativeTo` would reach the folder `start`, which is `relativeTo` itself or below it. */
export function isReached(start: string, relativeTo: string, first: EntryFilter): boolean {
  if (start.length <= relativeTo.length) return true;
  return isReached(dirname(start), relativeTo, first) && first(start, basename(start), true) !== 'out';
}
