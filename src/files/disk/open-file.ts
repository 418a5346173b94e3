import { type BigIntStats, constants } from 'node:fs';
import { ToolError } from '../../core/error.js';
import { isInside } from '../../core/text/path-names.js';
import type { FileStat, OpenFile } from '../../ports/file-system.js';
import { canonicalPath, descriptorPath, outside } from '../paths/confinement.js';
import { storageError } from '../paths/storage-error.js';
import type { Disk } from './system-calls.js';

// Up to this size a read from the page cache is faster than handing it to another thread.
const maxNowBytes = 1_048_576;

/** Wraps an open regular file of the disk as an `OpenFile`. */
export function openFile(opened: ReturnType<typeof openRegular>, path: string, disk: Disk): OpenFile {
  let isOpen = true;
  return {
    stat: fileStat(path, opened.stats),
    async read(buffer, position) {
      try {
        if (buffer.length <= maxNowBytes) return disk.readNow(opened.descriptor, buffer, position);
        return await disk.read(opened.descriptor, buffer, position);
      } catch (thrown) {
        throw storageError(thrown, path);
      }
    },
    async close() {
      if (!isOpen) return;
      isOpen = false;
      disk.close(opened.descriptor);
    },
  };
}

/** An open file whose content is in memory. */
export function fileInMemory(stat: FileStat, bytes: Uint8Array, close = async (): Promise<void> => {}): OpenFile {
  return {
    stat,
    async read(buffer, position) {
      const part = bytes.subarray(position, position + buffer.length);
      buffer.set(part);
      return part.length;
    },
    close,
  };
}

/** The whole content of an open file in one buffer, up to the size that it had when it was opened. */
export async function readWhole(file: OpenFile): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(file.stat.size);
  let filled = 0;
  while (filled < bytes.length) {
    const count = await file.read(bytes.subarray(filled), filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

/** Converts the stats of Node to a `FileStat`. */
export function fileStat(path: string, stats: BigIntStats): FileStat {
  return {
    path,
    kind: stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : 'other',
    size: Number(stats.size),
    mtimeMs: Number(stats.mtimeNs) / 1e6,
    ctimeMs: Number(stats.ctimeNs) / 1e6,
    mode: Number(stats.mode & 0o7777n),
    version: fileVersion(stats),
  };
}

/** Device, inode, size and both times in nanoseconds: equal only for the same state of the same file. */
export function fileVersion(stats: BigIntStats): string {
  return `${stats.dev}.${stats.ino}.${stats.size}.${stats.mtimeNs}.${stats.ctimeNs}`;
}

// Windows has neither O_NONBLOCK nor O_NOFOLLOW.
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * Opens the regular file at a canonical path without waiting for the other end of a FIFO; the caller closes the
 * descriptor. The check uses the open descriptor, not the name, so a link that replaced the path after it was resolved
 * is refused (TOCTOU). Throws the error of the system, `not_a_file` or `path_outside_root`.
 */
export function openRegular(path: string, roots: readonly string[], disk: Disk) {
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

/**
 * Throws unless the open descriptor refers to the file at `path` inside the roots. Without /proc a gap remains: a path
 * that is swapped and swapped back between the two checks is not noticed.
 */
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
  // Systems without /proc: the name must still lead to the opened file.
  const again = canonicalPath(path);
  if (!isInside(again, roots)) throw outside(path, roots);
  const named = disk.statLink(again);
  if (named === undefined || named.dev !== stats.dev || named.ino !== stats.ino) throw movedAway(path);
}

/** True if both stats describe the same state of the same file. */
export function sameState(left: BigIntStats | undefined, right: BigIntStats | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  return fileVersion(left) === fileVersion(right);
}

/** The error for a folder where a file is expected. */
export function notFile(path: string): ToolError {
  return new ToolError('not_a_file', `This is a folder, not a file: ${path}. Use Glob to see what is in it.`);
}

/** The error for a folder, a FIFO, a socket or a device where a file is expected. */
export function notRegular(path: string, stats: BigIntStats): ToolError {
  if (stats.isDirectory()) return notFile(path);
  const what = stats.isFIFO() ? 'a FIFO' : stats.isSocket() ? 'a socket' : 'a device';
  return new ToolError('not_a_file', `This is ${what}, not a regular file: ${path}. Use a regular file.`);
}

function movedAway(path: string): ToolError {
  return new ToolError(
    'file_changed',
    `The file was moved or replaced by a link while it was being opened: ${path}. Try again.`,
  );
}
