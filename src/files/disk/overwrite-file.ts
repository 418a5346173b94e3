import { type BigIntStats, constants } from 'node:fs';
import { checkDescriptor, notRegular, sameState } from './open-file.js';
import { changedMeanwhile, type Place } from './replace-file.js';
import type { Disk } from './system-calls.js';
import { unconfirmedWrite, writeBytes } from './write-bytes.js';

const flags = constants.O_RDWR | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * Writes new content into the existing file, so that its other names (hard links) and its owner stay. The bytes past the
 * old end are written first, because only they can fill the disk. If a step fails, the old bytes are written back.
 */
export async function overwriteFile(
  { directory, name, path }: Place,
  { roots, stats, oldBytes }: { readonly roots: readonly string[]; stats: BigIntStats; oldBytes: Uint8Array },
  slices: readonly Uint8Array[],
  disk: Disk,
): Promise<void> {
  const descriptor = disk.open(directory.at(name), flags);
  let isWritten = false;
  try {
    const opened = disk.stat(descriptor);
    if (!opened.isFile()) throw notRegular(path, opened);
    checkDescriptor(descriptor, opened, path, roots, disk);
    if (!sameState(opened, stats)) throw changedMeanwhile(path);
    await overwrite(descriptor, Buffer.concat(slices), oldBytes, disk);
    isWritten = true;
  } finally {
    close(descriptor, isWritten ? path : undefined, disk);
  }
}

function close(descriptor: number, written: string | undefined, disk: Disk): void {
  try {
    disk.close(descriptor);
  } catch (thrown) {
    // If writing failed, that error is the one to report.
    if (written !== undefined) throw unconfirmedWrite(written, thrown);
  }
}

async function overwrite(descriptor: number, bytes: Uint8Array, oldBytes: Uint8Array, disk: Disk): Promise<void> {
  const { length } = oldBytes;
  try {
    await writeBytes(descriptor, [bytes.subarray(length)], length, disk);
    await writeBytes(descriptor, [bytes.subarray(0, length)], 0, disk);
    if (bytes.length < length) disk.truncate(descriptor, bytes.length);
    await disk.sync(descriptor);
  } catch (thrown) {
    // If this fails too, the first error is the one to report.
    await putBack(descriptor, oldBytes, disk).catch(() => {});
    throw thrown;
  }
}

async function putBack(descriptor: number, oldBytes: Uint8Array, disk: Disk): Promise<void> {
  await writeBytes(descriptor, [oldBytes], 0, disk);
  disk.truncate(descriptor, oldBytes.length);
  await disk.sync(descriptor);
}
