import { crc32 } from 'node:zlib';
import { Pause } from '../../core/support/event-loop-yield.js';
import type { TextFile } from './line-positions.js';

/**
 * The checksum of bytes in memory: their CRC-32 and their number. The checksum takes a third of the time of a
 * cryptographic hash, but does not detect contents that were made to collide.
 */
export function checksumOf(slices: readonly Uint8Array[]): string {
  let [sum, size] = [0, 0];
  for (const slice of slices) [sum, size] = [crc32(slice, sum), size + slice.length];
  return written(sum, size);
}

/** The checksum of a whole open file, read through `buffer`, and its number of lines if there is a counter. */
export async function checksumFile({ file, buffer, counter, signal }: Omit<TextFile, 'encoding' | 'index'>) {
  const pause = new Pause(signal);
  let [sum, lines, last] = [0, 0, 10];
  for (let position = 0; ; ) {
    const count = await file.read(buffer, position);
    if (count === 0) return { hash: written(sum, position), lines: counter && (last === 10 ? lines : lines + 1) };
    sum = crc32(buffer.subarray(0, count), sum);
    lines += counter?.count(0, count) ?? 0;
    last = buffer[count - 1] ?? 10;
    position += count;
    await pause.ifDue();
  }
}

function written(sum: number, size: number): string {
  return `${sum.toString(36)}-${size.toString(36)}`;
}
