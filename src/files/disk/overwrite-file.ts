import { type BigIntStats, constants } from 'node:fs';
import type { NewContent } from '../../ports/file-system.js';
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
  content: NewContent,
  disk: Disk,
): Promise<void> {
  const descriptor = disk.open(directory.at(name), flags);
  let isWritten = false;
  try {
    const opened = disk.stat(descriptor);
    if (!opened.isFile()) throw notRegular(path, opened);
    checkDescriptor(descriptor, opened, path, roots, disk);
    if (!sameState(opened, stats)) throw changedMeanwhile(path);
    // Only the owner of a file may change its mode, even to the same one.
    const mode = content.mode === Number(opened.mode & 0o7777n) ? undefined : content.mode;
    await overwrite(descriptor, { bytes: Buffer.concat(content.slices), mode }, oldBytes, disk);
    isWritten = true;
  } finally {
    close(descriptor, isWritten ? path : undefined, disk);
  }
}

function close(descriptor: number, written: string | undefined, disk: Disk): void {
  try {
    disk.close(descriptor);
  } catch (thrown) {
    // If the write failed, its error is reported instead.
    if (written !== undefined) throw unconfirmedWrite(written, thrown);
  }
}

async function overwrite(
  descriptor: number,
  { bytes, mode }: { readonly bytes: Uint8Array; readonly mode: number | undefined },
  oldBytes: Uint8Array,
  disk: Disk,
): Promise<void> {
  const { length } = oldBytes;
  try {
    await writeBytes(descriptor, [bytes.subarray(length)], length, disk);
    await writeBytes(descriptor, [bytes.subarray(0, length)], 0, disk);
    if (bytes.length < length) disk.truncate(descriptor, bytes.length);
    await disk.sync(descriptor);
    // Last, since the mode is not put back.
    if (mode !== undefined) disk.chmod(descriptor, mode);
  } catch (thrown) {
    // If `putBack` fails too, the first error is still reported.
    await putBack(descriptor, oldBytes, disk).catch(() => {});
    throw thrown;
  }
}

async function putBack(descriptor: number, oldBytes: Uint8Array, disk: Disk): Promise<void> {
  await writeBytes(descriptor, [oldBytes], 0, disk);
  disk.truncate(descriptor, oldBytes.length);
  await disk.sync(descriptor);
}
