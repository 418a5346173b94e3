import { outputNumbers } from './numbers.js';

/** The characters that a result of a turn of `results` keeps, however long the others are. */
export function turnShareChars(maxTurnChars: number, results: number): number {
  if (maxTurnChars === 0) return Number.POSITIVE_INFINITY;
  return Math.max(outputNumbers.minKeptChars, Math.floor(maxTurnChars / results / 2));
}
