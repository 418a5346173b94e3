import { createHash } from 'node:crypto';
import { isRecord } from '../support/check-values.js';

/** SHA-256 of the concatenated slices, in base64. */
export function hashBytes(slices: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const slice of slices) hash.update(slice);
  return hash.digest('base64');
}

/**
 * SHA-256 of a value as JSON, in hex; the hash of an empty text for `undefined`. The hash does not depend on the order
 * of fields.
 */
export function stableHash(value: unknown): string {
  const sorted = (_: string, inside: unknown) =>
    isRecord(inside) ? Object.fromEntries(Object.entries(inside).sort(([a], [b]) => (a < b ? -1 : 1))) : inside;
  return createHash('sha256')
    .update(JSON.stringify(value, sorted) ?? '')
    .digest('hex');
}
