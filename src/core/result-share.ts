import { outputNumbers } from './fixed-limits.js';

/** The minimum number of characters that each result of a turn keeps, however long the other results are. */
export function turnShareChars(maxTurnChars: number, resultCount: number): number {
  if (maxTurnChars === 0) return Number.POSITIVE_INFINITY;
  return Math.max(outputNumbers.minKeptChars, Math.floor(maxTurnChars / resultCount / 2));
}
