import { createHash } from 'node:crypto';

/** SHA-256 of all bytes one after the other, in base64. */
export function hashBytes(slices: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const slice of slices) hash.update(slice);
  return hash.digest('base64');
}
