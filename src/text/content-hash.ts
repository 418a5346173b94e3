import { nodeCrypto } from '../core/node-modules.js';

/** SHA-256 of all bytes one after the other, in base64. */
export function hashBytes(slices: readonly Uint8Array[]): string {
  const hash = nodeCrypto().createHash('sha256');
  for (const slice of slices) hash.update(slice);
  return hash.digest('base64');
}
