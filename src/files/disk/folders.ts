import { constants, readdirSync, readlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ToolError } from '../../core/error.js';
import { ifPossible } from '../../core/support/check-values.js';
import { quietly } from '../../core/support/listeners.js';
import { errorCode } from '../../core/support/os-error-code.js';
import { isInside } from '../../core/text/path-names.js';
import type { FileEntry } from '../../ports/file-system.js';
import { canonicalPath, descriptorPath, outside } from '../paths/confinement.js';
import { notRegular } from './open-file.js';
import type { Disk } from './system-calls.js';

/** An open folder. The descriptor leads to the same folder even if a link replaces a part of its path (TOCTOU). */
export interface OpenDirectory {
  readonly path: string;
  /** A path for system calls that leads to `name` in this folder, even if the folder was moved. */
  at(name: string): string;
  /** Makes renames and removals in the folder durable. */
  sync(): Promise<void>;
  close(): void;
}

const flags = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** Opens the folder at a canonical path inside the roots. Throws the error of the system. */
export function openDirectory(path: string, roots: readonly string[], disk: Disk): OpenDirectory {
  // Windows cannot open folders, so only the name can be checked there.
  if (process.platform === 'win32') return byName(path, roots);
  return fromDescriptor(disk.open(path, flags), path, roots, disk);
}

/**
 * Opens a folder, and creates it and its parents if they are missing; adds the path of each created folder to `made`.
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
    return fromDescriptor(disk.open(parent.at(basename(path)), flags), path, roots, disk);
  } finally {
    parent.close();
  }
}

function rootIsGone(path: string): ToolError {
  return new ToolError(
    'storage_failed',
    `The workspace folder was removed or renamed: ${path}. Nothing can be written until it is ` +
      'restored; tell the user.',
  );
}

/** The error for a file where a folder is expected. */
export function notFolder(path: string): ToolError {
  return new ToolError(
    'not_a_file',
    `This is a file, not a folder: ${path}. Pass the folder to start from, or use Read.`,
  );
}

/** Removes the folder at a canonical path inside the roots; false when it is not empty or not a folder. */
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

/** The entries of the folder at a canonical path inside the roots, sorted by name. */
export function listDirectory(path: string, roots: readonly string[], disk: Disk): FileEntry[] {
  const directory = openDirectory(path, roots, disk);
  try {
    return readdirSync(directory.at('.'), { withFileTypes: true })
      .map((entry): FileEntry => {
        const kind = entry.isFile() ? 'file' : entry.isDirectory() ? 'directory' : 'other';
        // A link may be removed meanwhile.
        const link = entry.isSymbolicLink() ? ifPossible(() => readlinkSync(directory.at(entry.name))) : undefined;
        return { name: entry.name, kind, ...(link !== undefined && { link }) };
      })
      .sort((left, right) => (left.name < right.name ? -1 : 1));
  } finally {
    directory.close();
  }
}

function fromDescriptor(descriptor: number, path: string, roots: readonly string[], disk: Disk): OpenDirectory {
  const real = descriptorPath(descriptor) ?? canonicalPath(path);
  // The descriptor is released even if closing reports an error, and closing a folder loses no data.
  const close = () => quietly(() => disk.close(descriptor));
  if (real !== path || !isInside(real, roots)) {
    close();
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
    close,
  };
}

function byName(path: string, roots: readonly string[]): OpenDirectory {
  if (canonicalPath(path) !== path) throw outside(path, roots);
  return { path, at: (name) => join(path, name), sync: async () => {}, close: () => {} };
}
