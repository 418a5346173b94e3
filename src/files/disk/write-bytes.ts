import { ToolError } from '../../core/error.js';
import type { Disk } from './disk.js';
import { Pause } from './yield-to-event-loop.js';

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
  const pending = slices.filter((slice) => slice.length > 0);
  const pause = new Pause(signal ?? new AbortController().signal);
  let at = position;
  // The first slice that is not written to its end, and how much of it is.
  let index = 0;
  let done = 0;
  while (index < pending.length) {
    signal?.throwIfAborted();
    const batch = pending.slice(index, index + maxSlices);
    batch[0] = batch[0]?.subarray(done) ?? new Uint8Array();
    const written = await disk.write(descriptor, batch, at);
    if (written <= 0)
      throw new ToolError('storage_failed', 'The disk took no more bytes; free some space, then try again.');
    at += written;
    done += written;
    for (let slice = pending[index]; slice !== undefined && done >= slice.length; slice = pending[++index])
      done -= slice.length;
    if (index < pending.length) await pause.ifDue();
  }
}

/** The number of bytes in all slices. */
export function totalBytes(slices: readonly Uint8Array[]): number {
  return slices.reduce((sum, slice) => sum + slice.length, 0);
}
