import { crc32 } from 'node:zlib';

/**
 * A mark of all bytes one after the other: their CRC-32 and how many they are. It tells whether something was changed
 * meanwhile, at a third of what a cryptographic hash takes, and is no defence against somebody who makes two contents
 * look the same.
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

/** The mark of bytes that are all there. */
export function checksumOf(slices: readonly Uint8Array[]): string {
  const checksum = new ContentChecksum();
  for (const slice of slices) checksum.add(slice);
  return checksum.toString();
}
