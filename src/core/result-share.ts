import { outputNumbers } from './fixed-limits.js';

/**
 * The minimum number of characters that each of the `results` results of a turn keeps, however long the other results
 * are.
 */
export function turnShareChars(maxTurnChars: number, results: number): number {
  if (maxTurnChars === 0) return Number.POSITIVE_INFINITY;
  return Math.max(outputNumbers.minKeptChars, Math.floor(maxTurnChars / results / 2));
}
