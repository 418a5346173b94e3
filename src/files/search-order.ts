import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isInside } from './search-start.js';

/** A path that was found, and when it was changed last. */
export interface DatedPath {
  readonly path: string;
  readonly mtimeMs: number;
}

const pathsInOneSlice = 500;

/** Newest first; of the same age by path. */
export function newestFirst(left: DatedPath, right: DatedPath): number {
  return right.mtimeMs - left.mtimeMs || (left.path < right.path ? -1 : left.path > right.path ? 1 : 0);
}

/**
 * The regular files among `paths` that really are inside the roots, with their age. What vanished or came to lie outside while the search ran is
 * left out. Works in slices, so that the event loop goes on.
 */
export async function datedFiles(paths: readonly string[], roots: readonly string[], signal: AbortSignal): Promise<DatedPath[]> {
  const ages = agesInside(roots);
  const dated: DatedPath[] = [];
  for (const [index, path] of paths.entries()) {
    if (index % pathsInOneSlice === pathsInOneSlice - 1) {
      await nextTurn();
      signal.throwIfAborted();
    }
    const mtimeMs = ages(path);
    if (mtimeMs !== undefined) dated.push({ path, mtimeMs });
  }
  return dated;
}

/** Tells the age of a file; undefined for what is no regular file inside the roots by its real path. Asks about each folder once. */
export function agesInside(roots: readonly string[]): (path: string) => number | undefined {
  const folders = new Map<string, boolean>();
  return (path) => {
    const folder = dirname(path);
    let isReal = folders.get(folder);
    if (isReal === undefined) {
      isReal = isReallyInside(folder, roots);
      folders.set(folder, isReal);
    }
    return isReal ? fileAge(path, roots) : undefined;
  };
}

function isReallyInside(path: string, roots: readonly string[]): boolean {
  try {
    return isInside(realpathSync.native(path), roots);
  } catch {
    return false;
  }
}

function fileAge(path: string, roots: readonly string[]): number | undefined {
  const found = statOf(() => lstatSync(path));
  if (found?.isFile()) return found.mtimeMs;
  if (!found?.isSymbolicLink() || !isReallyInside(path, roots)) return undefined;
  const target = statOf(() => statSync(path));
  return target?.isFile() ? target.mtimeMs : undefined;
}

function statOf(read: () => Stats): Stats | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
