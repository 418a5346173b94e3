import { type BigIntStats, constants } from 'node:fs';
import { checkDescriptor, notRegular, sameState } from './open-file.js';
import { changedMeanwhile, type Place } from './replace-file.js';
import type { Disk } from './system-calls.js';
import { totalBytes, unconfirmedWrite, writeBytes } from './write-bytes.js';

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
    await overwrite(descriptor, slices, oldBytes, disk);
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

async function overwrite(
  descriptor: number,
  slices: readonly Uint8Array[],
  oldBytes: Uint8Array,
  disk: Disk,
): Promise<void> {
  const size = totalBytes(slices);
  const { head, tail } = splitAt(slices, oldBytes.length);
  try {
    await writeBytes(descriptor, tail, oldBytes.length, disk);
    await writeBytes(descriptor, head, 0, disk);
    if (size < oldBytes.length) disk.truncate(descriptor, size);
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

function splitAt(slices: readonly Uint8Array[], at: number) {
  const head: Uint8Array[] = [];
  const tail: Uint8Array[] = [];
  let position = 0;
  for (const slice of slices) {
    const cut = Math.min(slice.length, Math.max(0, at - position));
    head.push(slice.subarray(0, cut));
    tail.push(slice.subarray(cut));
    position += slice.length;
  }
  return { head, tail };
}
