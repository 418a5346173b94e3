import { lstatSync, realpathSync } from 'node:fs';
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
 * The regular files among `paths` that really are inside the roots, with their age. What vanished, became a link or lies in a
 * folder that became a link while the search ran is left out. Works in slices, so that the event loop goes on.
 */
export async function datedFiles(paths: readonly string[], roots: readonly string[], signal: AbortSignal): Promise<DatedPath[]> {
  const folders = new Map<string, boolean>();
  const dated: DatedPath[] = [];
  for (const [index, path] of paths.entries()) {
    if (index % pathsInOneSlice === pathsInOneSlice - 1) {
      await nextTurn();
      signal.throwIfAborted();
    }
    const folder = dirname(path);
    let isReal = folders.get(folder);
    if (isReal === undefined) {
      isReal = isRealFolder(folder, roots);
      folders.set(folder, isReal);
    }
    const mtimeMs = isReal ? fileAge(path) : undefined;
    if (mtimeMs !== undefined) dated.push({ path, mtimeMs });
  }
  return dated;
}

function isRealFolder(folder: string, roots: readonly string[]): boolean {
  try {
    return isInside(realpathSync.native(folder), roots);
  } catch {
    return false;
  }
}

function fileAge(path: string): number | undefined {
  try {
    const found = lstatSync(path);
    return found.isFile() ? found.mtimeMs : undefined;
  } catch {
    return undefined;
  }
}
