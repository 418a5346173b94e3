import { ToolError } from '../core/error.js';
import type { Disk } from './disk.js';

// Systems take at most 1,024 slices in one call.
const maxSlices = 512;

/** Writes all slices one after the other from byte `position` on, however often the system takes only a part. */
export async function writeBytes(
  descriptor: number,
  slices: readonly Uint8Array[],
  position: number,
  disk: Disk,
  signal?: AbortSignal,
): Promise<void> {
  let at = position;
  let pending = slices.filter((slice) => slice.length > 0);
  while (pending.length > 0) {
    signal?.throwIfAborted();
    const written = await disk.write(descriptor, pending.slice(0, maxSlices), at);
    if (written <= 0) throw new ToolError('storage_failed', 'The disk took no more bytes; free some space, then try again.');
    at += written;
    pending = withoutFirst(pending, written);
  }
}

/** The number of bytes in all slices. */
export function totalBytes(slices: readonly Uint8Array[]): number {
  return slices.reduce((sum, slice) => sum + slice.length, 0);
}

function withoutFirst(slices: readonly Uint8Array[], bytes: number): Uint8Array[] {
  let left = bytes;
  const rest: Uint8Array[] = [];
  for (const slice of slices) {
    if (left < slice.length) rest.push(slice.subarray(left));
    left = Math.max(0, left - slice.length);
  }
  return rest;
}
