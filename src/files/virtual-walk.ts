import { posix } from 'node:path';
import type { EntryFilter } from './search-walk.js';

/** How files that stand on no disk are walked. */
export interface VirtualWalk {
  /** The walked folder; `.git` below it is passed by. */
  readonly start: string;
  /** The folder that `first` counts from; at or above `start`. */
  readonly relativeTo: string;
  readonly first: EntryFilter;
  readonly last: (name: string) => boolean;
}

/** Tells of a path below the walked folder whether a walk comes to it, as {@link walkFiles} does. There are no ignore rules. */
export function virtualFilter({ start, relativeTo, first, last }: VirtualWalk): (path: string) => boolean {
  const known = new Map<string, boolean>();
  const isOpen = (folder: string): boolean => {
    if (folder.length <= relativeTo.length) return true;
    const told = known.get(folder);
    if (told !== undefined) return told;
    const name = posix.basename(folder);
    const isHidden = name === '.git' && folder.length > start.length;
    const open = !isHidden && isOpen(posix.dirname(folder)) && first(folder, name, true) !== 'out';
    known.set(folder, open);
    return open;
  };
  return (path) => {
    const name = posix.basename(path);
    if (name === '.git' || !isOpen(posix.dirname(path))) return false;
    const verdict = first(path, name, false);
    return verdict === 'unknown' ? last(name) : verdict === 'in';
  };
}
