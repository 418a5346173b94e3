import { type BigIntStats, constants } from 'node:fs';
import { ToolError } from '../../core/error.js';
import { isInside } from '../../core/paths/is-inside.js';
import { canonicalPath } from '../paths/canonical-path.js';
import { descriptorPath, outside } from '../paths/confinement.js';
import type { Disk } from './disk.js';
import { fileVersion } from './file-version.js';

/** An open descriptor of a regular file that lies inside the roots. Close it. */
export interface OpenRegular {
  readonly descriptor: number;
  readonly stats: BigIntStats;
}

// Missing on Windows, where neither links nor FIFOs are opened by name in this way.
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * Opens the regular file at a canonical path. It does not wait for a FIFO's other end, and what was opened is checked,
 * not its name: a link that was put there after the path was resolved leads nowhere. Throws what the system says,
 * `not_a_file` and `path_outside_root`.
 */
export function openRegular(path: string, roots: readonly string[], disk: Disk): OpenRegular {
  const before = disk.statLink(path);
  if (before !== undefined && !before.isFile() && !before.isSymbolicLink()) throw notRegular(path, before);
  const descriptor = disk.open(path, flags);
  try {
    const stats = disk.stat(descriptor);
    if (!stats.isFile()) throw notRegular(path, stats);
    checkDescriptor(descriptor, stats, path, roots, disk);
    return { descriptor, stats };
  } catch (thrown) {
    disk.close(descriptor);
    throw thrown;
  }
}

/** Throws unless the descriptor is what stands at `path` inside the roots. */
export function checkDescriptor(
  descriptor: number,
  stats: BigIntStats,
  path: string,
  roots: readonly string[],
  disk: Disk,
): void {
  const real = descriptorPath(descriptor);
  if (real !== undefined) {
    if (real === path || real === `${path} (deleted)`) return;
    throw isInside(real, roots) ? movedAway(path) : outside(path, roots);
  }
  // Systems without /proc: the name must still lead to the very file that was opened.
  const again = canonicalPath(path);
  if (!isInside(again, roots)) throw outside(path, roots);
  const named = disk.statLink(again);
  if (named === undefined || named.dev !== stats.dev || named.ino !== stats.ino) throw movedAway(path);
}

/** True when both describe the same state of the same file. */
export function sameState(left: BigIntStats | undefined, right: BigIntStats | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  return fileVersion(left) === fileVersion(right);
}

/** The error for a folder, a FIFO, a socket or a device where a file is wanted. */
export function notRegular(path: string, stats: BigIntStats): ToolError {
  if (stats.isDirectory()) {
    return new ToolError('not_a_file', `This is a folder, not a file: ${path}. Use Glob to see what is in it.`);
  }
  const what = stats.isFIFO() ? 'a FIFO' : stats.isSocket() ? 'a socket' : 'a device';
  return new ToolError('not_a_file', `This is ${what}, not a regular file: ${path}. Use a regular file.`);
}

function movedAway(path: string): ToolError {
  return new ToolError(
    'file_changed',
    `The file was moved or replaced by a link while it was being opened: ${path}. Try again.`,
  );
}
