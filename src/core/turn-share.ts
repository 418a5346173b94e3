import { outputNumbers } from './numbers.js';

/** The characters that each of `results` results of a turn keeps at least, however long the others are. */
export function turnShareChars(maxTurnChars: number, results: number): number {
  if (maxTurnChars === 0) return Number.POSITIVE_INFINITY;
  return Math.max(outputNumbers.minKeptChars, Math.floor(maxTurnChars / results / 2));
}
