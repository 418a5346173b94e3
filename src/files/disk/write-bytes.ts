import { ToolError } from '../../core/error.js';
import { Pause } from '../../core/support/event-loop-yield.js';
import { errorCode } from '../../core/support/os-error-code.js';
import type { Disk } from './system-calls.js';

// Systems accept at most 1,024 slices in one call.
const maxSlices = 512;

/** Writes all slices in order from byte `position` on, and repeats the call if the system writes only a part. */
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
  // The first slice that is not completely written, and the number of its bytes that are written.
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

/** The error for a disk that fails after the new content was put in place; its metadata names the written file. */
export function unconfirmedWrite(path: string, thrown: unknown): ToolError {
  const what =
    `the disk did not confirm it (${errorCode(thrown)}), so a power cut could still lose it: ${path}. Check the disk, ` +
    'and read the file before you go on.';
  return writtenYetFailed(path, what, thrown);
}

/** The error for a failure after a file was written. */
export function writtenYetFailed(path: string, what: string, cause: unknown): ToolError {
  const metadata = { filePath: path, written: true };
  return new ToolError('storage_failed', `The file was written, but ${what}`, { cause, metadata });
}

/** The canonical path of a file that was written although `thrown` was thrown; undefined if no file was written. */
export function writtenPath(thrown: unknown): string | undefined {
  if (!ToolError.is(thrown) || thrown.metadata?.written !== true) return undefined;
  const { filePath } = thrown.metadata;
  return typeof filePath === 'string' ? filePath : undefined;
}
