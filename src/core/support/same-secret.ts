import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares texts in constant time, by their digests, which have the same length. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(digestOf(given), digestOf(expected));
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
