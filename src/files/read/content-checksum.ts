import { crc32 } from 'node:zlib';
import { Pause } from '../../core/support/pause.js';
import type { TextFile } from './line-positions.js';

/**
 * A checksum of bytes: their CRC-32 and their number. The checksum detects changes in a third of the time of a
 * cryptographic hash, but does not protect against contents that were made to collide.
 */
export class ContentChecksum {
  #sum = 0;
  #size = 0;

  add(bytes: Uint8Array): this {
    this.#sum = crc32(bytes, this.#sum);
    this.#size += bytes.length;
    return this;
  }

  toString(): string {
    return `${this.#sum.toString(36)}-${this.#size.toString(36)}`;
  }
}

/** The checksum of bytes in memory. */
export function checksumOf(slices: readonly Uint8Array[]): string {
  const checksum = new ContentChecksum();
  for (const slice of slices) checksum.add(slice);
  return checksum.toString();
}

/**
 * The checksum of a whole open file, read block by block through `buffer`, and its number of lines if there is a
 * counter.
 */
export async function checksumFile({ file, buffer, counter, signal }: Omit<TextFile, 'encoding' | 'index'>) {
  const checksum = new ContentChecksum();
  const pause = new Pause(signal);
  let [lines, last] = [0, 10];
  for (let position = 0; ; ) {
    const count = await file.read(buffer, position);
    if (count === 0) return { hash: checksum.toString(), lines: counter && (last === 10 ? lines : lines + 1) };
    checksum.add(buffer.subarray(0, count));
    lines += counter?.count(0, count) ?? 0;
    last = buffer[count - 1] ?? 10;
    position += count;
    await pause.ifDue();
  }
}
