import { posix } from 'node:path';
import { type IgnoreScope, isIgnored, parentScope, scopeInside } from './ignore-scope.js';
import type { IgnoreSource } from './ignore-source.js';
import type { EntryFilter } from './walk.js';

/** Options for filtering a list of virtual paths. */
export interface VirtualWalk {
  /** The walked folder; `.git` below it is left out. */
  readonly start: string;
  /** The folder that the glob in `first` is relative to; `start` or one of its parents. */
  readonly relativeTo: string;
  readonly rules: IgnoreSource;
  readonly first: EntryFilter;
  readonly last: (name: string) => boolean;
}

/** Returns a function that tells whether {@link walkFiles} would yield a path. */
export function virtualFilter({ start, relativeTo, rules, first, last }: VirtualWalk): (path: string) => boolean {
  const known = new Map<string, boolean>();
  const scopes = new Map<string, IgnoreScope>();
  // Must be called only for folders that the walk reaches.
  const scopeOf = (folder: string): IgnoreScope => {
    const found = scopes.get(folder);
    if (found !== undefined) return found;
    const above = folder.length <= start.length ? parentScope(folder, rules) : scopeOf(posix.dirname(folder));
    const scope = scopeInside(above, folder, () => true, rules);
    scopes.set(folder, scope);
    return scope;
  };
  const isIncluded = (path: string, name: string, isDirectory: boolean): boolean => {
    const verdict = first(path, name, isDirectory);
    if (verdict !== 'unknown') return verdict === 'in';
    return !isIgnored(scopeOf(posix.dirname(path)), path, name, isDirectory) && (isDirectory || last(name));
  };
  const isOpen = (folder: string): boolean => {
    if (folder.length <= relativeTo.length) return true;
    const found = known.get(folder);
    if (found !== undefined) return found;
    const name = posix.basename(folder);
    const isBelow = folder.length > start.length;
    const isHidden = name === '.git' && isBelow;
    const open =
      !isHidden &&
      isOpen(posix.dirname(folder)) &&
      (isBelow ? isIncluded(folder, name, true) : first(folder, name, true) !== 'out');
    known.set(folder, open);
    return open;
  };
  return (path) => {
    const name = posix.basename(path);
    return name !== '.git' && isOpen(posix.dirname(path)) && isIncluded(path, name, false);
  };
}
