import {
  type BigIntStats,
  close,
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  read,
  readdirSync,
  readSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writev,
  writevSync,
} from 'node:fs';
import { promisify } from 'node:util';

const writevAsync = promisify(writev);

// Up to this size a copy into the page cache is faster than handing the write to another thread.
const maxNowBytes = 1_048_576;

/**
 * The system calls for files, which tests replace to inject failures. Only calls that may wait for the disk are
 * asynchronous.
 */
export interface Disk {
  open(path: string, flags: number, mode?: number): number;
  close(descriptor: number): void;
  /** Closes without waiting, since freeing the blocks of a replaced file is the slowest step of a write. */
  release(descriptor: number): void;
  /** With times in nanoseconds. */
  stat(descriptor: number): BigIntStats;
  /** Does not follow a link; undefined if nothing exists there. */
  statLink(path: string): BigIntStats | undefined;
  readNow(descriptor: number, buffer: Uint8Array, position: number): number;
  read(descriptor: number, buffer: Uint8Array, position: number): Promise<number>;
  /** Resolves with the number of bytes written, which may be fewer than given. */
  write(descriptor: number, slices: readonly Uint8Array[], position: number): Promise<number>;
  truncate(descriptor: number, size: number): void;
  chmod(descriptor: number, mode: number): void;
  chown(descriptor: number, user: number, group: number): void;
  sync(descriptor: number): Promise<void>;
  rename(from: string, to: string): void;
  remove(path: string): void;
  makeDirectory(path: string): void;
  removeDirectory(path: string): void;
  names(path: string): string[];
}

/** The disk of this machine. */
export const nodeDisk: Disk = {
  open: openSync,
  close: closeSync,
  release: (descriptor) => close(descriptor, () => {}),
  stat: (descriptor) => fstatSync(descriptor, { bigint: true }),
  statLink: (path) => lstatSync(path, { bigint: true, throwIfNoEntry: false }),
  readNow: (descriptor, buffer, position) => readSync(descriptor, buffer, 0, buffer.length, position),
  read: (descriptor, buffer, position) =>
    new Promise((resolve, reject) => {
      read(descriptor, buffer, 0, buffer.length, position, (error, count) =>
        error === null ? resolve(count) : reject(error),
      );
    }),
  write: async (descriptor, slices, position) => {
    const size = slices.reduce((sum, slice) => sum + slice.length, 0);
    if (size <= maxNowBytes) return writevSync(descriptor, slices, position);
    return (await writevAsync(descriptor, slices, position)).bytesWritten;
  },
  truncate: ftruncateSync,
  chmod: fchmodSync,
  chown: fchownSync,
  sync: promisify(fsync),
  rename: renameSync,
  remove: unlinkSync,
  makeDirectory: (path) => mkdirSync(path),
  removeDirectory: rmdirSync,
  names: (path) => readdirSync(path),
};
