import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { byPath, isInside } from '../../../core/text/path-names.js';

/** A found path, and when it was last changed. */
export interface DatedPath {
  readonly path: string;
  readonly mtimeMs: number;
}

const pathsInOneSlice = 500;

/** Newest first; files of the same time by path. */
export function newestFirst(left: DatedPath, right: DatedPath): number {
  return right.mtimeMs - left.mtimeMs || byPath(left, right);
}

/**
 * The files among `paths`, with the time of their last change (see {@link fileTime}). Files that were removed during the
 * search are left out. Yields to the event loop.
 */
export async function datedFiles(
  paths: readonly string[],
  roots: readonly string[],
  signal: AbortSignal,
): Promise<DatedPath[]> {
  const dated: DatedPath[] = [];
  for (const [index, path] of paths.entries()) {
    if (index % pathsInOneSlice === pathsInOneSlice - 1) {
      await nextTurn();
      signal.throwIfAborted();
    }
    const mtimeMs = fileTime(path, roots);
    if (mtimeMs !== undefined) dated.push({ path, mtimeMs });
  }
  return dated;
}

function isReallyInside(path: string, roots: readonly string[]): boolean {
  try {
    return isInside(realpathSync.native(path), roots);
  } catch {
    return false;
  }
}

/**
 * The time of the last change of a regular file, or of the file inside the roots that a link leads to; undefined for
 * anything else. The parent folder is checked later, only for the results that are shown (see verifiedPaths).
 */
export function fileTime(path: string, roots: readonly string[]): number | undefined {
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
