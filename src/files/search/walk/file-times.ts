import { lstatSync, realpathSync, statSync } from 'node:fs';
import { ifPossible } from '../../../core/support/check-values.js';
import { Pause } from '../../../core/support/event-loop-yield.js';
import { byPath, isInside } from '../../../core/text/path-names.js';

/** A found path, and when it was last changed. */
export interface DatedPath {
  readonly path: string;
  readonly mtimeMs: number;
}

/** Newest first; files of the same time by path. */
export function newestFirst(left: DatedPath, right: DatedPath): number {
  return right.mtimeMs - left.mtimeMs || byPath(left, right);
}

/**
 * The files among `paths`, with the time of their last change (see {@link fileTime}). Files that were removed during
 * the search are left out. Yields to the event loop.
 */
export async function datedFiles(
  paths: readonly string[],
  roots: readonly string[],
  signal: AbortSignal,
): Promise<DatedPath[]> {
  const dated: DatedPath[] = [];
  const pause = new Pause(signal);
  for (const path of paths) {
    await pause.ifDue();
    const mtimeMs = fileTime(path, roots);
    if (mtimeMs !== undefined) dated.push({ path, mtimeMs });
  }
  return dated;
}

/**
 * The time of the last change of a regular file, or of the file inside the roots that a link leads to; undefined for
 * anything else. The parent folder is checked later, only for the results that are shown (see verifiedPaths).
 */
export function fileTime(path: string, roots: readonly string[]): number | undefined {
  const found = ifPossible(() => lstatSync(path));
  if (found?.isFile()) return found.mtimeMs;
  if (!found?.isSymbolicLink()) return undefined;
  const target = ifPossible(() => (isInside(realpathSync.native(path), roots) ? statSync(path) : undefined));
  return target?.isFile() ? target.mtimeMs : undefined;
}
