import { constants, readdirSync, readlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ToolError } from '../../core/error.js';
import { isInside } from '../../core/paths/is-inside.js';
import type { FileEntry } from '../../ports/file-system.js';
import { canonicalPath, descriptorPath, outside } from '../paths/confinement.js';
import { errorCode } from '../paths/storage-error.js';
import type { Disk } from './disk.js';
import { notRegular } from './open-file.js';

/** A folder held open, so that its files are named through it and not through a path that may be swapped meanwhile. */
export interface OpenDirectory {
  /** Canonical. */
  readonly path: string;
  /** A path for system calls that leads to `name` in this very folder. */
  at(name: string): string;
  /** Makes renames and removals in it durable. */
  sync(): Promise<void>;
  close(): void;
}

const flags = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * Opens the folder at a canonical path and checks that the descriptor is that folder, inside the roots. Throws what the
 * system says.
 */
export function openDirectory(path: string, roots: readonly string[], disk: Disk): OpenDirectory {
  // Windows does not open folders; there the name is all there is.
  if (process.platform === 'win32') return byName(path, roots);
  return held(disk.open(path, flags), path, roots, disk);
}

/**
 * Opens the folder at a canonical path, making what is missing of it. `made` gets the path of each folder that was
 * made.
 */
export function ensureDirectory(path: string, roots: readonly string[], disk: Disk, made: string[]): OpenDirectory {
  try {
    return openDirectory(path, roots, disk);
  } catch (thrown) {
    if (errorCode(thrown) !== 'ENOENT' || dirname(path) === path) throw thrown;
    if (!isInside(dirname(path), roots)) throw rootIsGone(path);
  }
  const parent = ensureDirectory(dirname(path), roots, disk, made);
  try {
    try {
      disk.makeDirectory(parent.at(basename(path)));
      made.push(path);
    } catch (thrown) {
      if (errorCode(thrown) !== 'EEXIST') throw thrown;
    }
    if (process.platform === 'win32') return byName(path, roots);
    return held(disk.open(parent.at(basename(path)), flags), path, roots, disk);
  } finally {
    parent.close();
  }
}

function rootIsGone(path: string): ToolError {
  return new ToolError(
    'storage_failed',
    `The workspace folder was removed or renamed: ${path}. Nothing can be written until somebody brings it ` +
      'back; tell the user.',
  );
}

/** The error for a file where a folder is wanted. */
export function notFolder(path: string): ToolError {
  return new ToolError(
    'not_a_file',
    `This is a file, not a folder: ${path}. Pass the folder to start from, or use Read.`,
  );
}

/** Removes the folder at a canonical path inside the roots; false when it is not empty, or no folder. */
export function removeEmptyFolder(path: string, roots: readonly string[], disk: Disk): boolean {
  const parent = openDirectory(dirname(path), roots, disk);
  try {
    disk.removeDirectory(parent.at(basename(path)));
    return true;
  } catch (thrown) {
    if (['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR'].includes(errorCode(thrown) ?? '')) return false;
    throw thrown;
  } finally {
    parent.close();
  }
}

/** Removes the regular file at a canonical path inside the roots; false when there is none. */
export function removeFile(path: string, roots: readonly string[], disk: Disk): boolean {
  const parent = openDirectory(dirname(path), roots, disk);
  try {
    const stats = disk.statLink(parent.at(basename(path)));
    if (stats === undefined) return false;
    if (!stats.isFile()) throw notRegular(path, stats);
    disk.remove(parent.at(basename(path)));
    return true;
  } finally {
    parent.close();
  }
}

/** What is in the folder at a canonical path inside the roots, by name. */
export function listDirectory(path: string, roots: readonly string[], disk: Disk): FileEntry[] {
  const directory = openDirectory(path, roots, disk);
  try {
    return listEntries(directory);
  } finally {
    directory.close();
  }
}

function held(descriptor: number, path: string, roots: readonly string[], disk: Disk): OpenDirectory {
  const real = descriptorPath(descriptor) ?? canonicalPath(path);
  if (real !== path || !isInside(real, roots)) {
    closeQuietly(descriptor, disk);
    if (!isInside(real, roots)) throw outside(path, roots);
    throw new ToolError(
      'file_changed',
      `The folder was moved or replaced by a link while it was being opened: ${path}. Try again.`,
    );
  }
  const base = process.platform === 'linux' ? `/proc/self/fd/${descriptor}` : path;
  return {
    path,
    at: (name) => join(base, name),
    sync: () => disk.sync(descriptor),
    close: () => closeQuietly(descriptor, disk),
  };
}

// A folder has nothing to lose at its closing, and whatever was opened in it must not be lost by it.
function closeQuietly(descriptor: number, disk: Disk): void {
  try {
    disk.close(descriptor);
  } catch {
    // The descriptor is free all the same.
  }
}

function byName(path: string, roots: readonly string[]): OpenDirectory {
  if (canonicalPath(path) !== path) throw outside(path, roots);
  return { path, at: (name) => join(path, name), sync: async () => {}, close: () => {} };
}

/** What stands in a folder, by name. */
export function listEntries(directory: OpenDirectory): FileEntry[] {
  return readdirSync(directory.at('.'), { withFileTypes: true })
    .map((entry): FileEntry => {
      const kind = entry.isFile() ? 'file' : entry.isDirectory() ? 'directory' : 'other';
      return { name: entry.name, kind, ...(entry.isSymbolicLink() ? linkAt(directory.at(entry.name)) : {}) };
    })
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}

/** Where a link leads; nothing where it is gone by now. */
function linkAt(path: string): Pick<FileEntry, 'link'> {
  try {
    return { link: readlinkSync(path) };
  } catch {
    return {};
  }
}
