import { shellNumbers } from '../../core/fixed-limits.js';

/** Bytes on each side of a cut that are scanned for secrets. */
export const cutContextBytes = shellNumbers.holdBackChars;

const newline = 0x0a;
const blank = 0x20;
/** The kinds of cuts, best first: after a line, after a word, between characters. */
const cutKinds: readonly { readonly fits: (before: number, after: number) => boolean; readonly maxTries: number }[] = [
  { fits: (before) => before === newline, maxTries: 48 },
  { fits: (before) => before === blank, maxTries: 16 },
  { fits: (_, after) => (after & 0xc0) !== 0x80, maxTries: 192 },
];

/** A requested cut. */
export interface CutRequest {
  /** The preferred index. */
  readonly wanted: number;
  /** The furthest acceptable index, below or above `wanted`. */
  readonly furthest: number;
  /** Removes secrets from text. */
  readonly scrub: (text: string) => string;
}

/**
 * The index nearest to `wanted` at which a cut splits no secret: after a line, else after a word, else between
 * characters. Undefined if all tried cuts split a secret.
 */
export function safeCut(bytes: Buffer, { wanted, furthest, scrub }: CutRequest): number | undefined {
  const text = bytes.toString('latin1');
  const whole = scrub(text);
  const step = furthest < wanted ? -1 : 1;
  for (const { fits, maxTries } of cutKinds) {
    let tries = 0;
    for (let at = wanted; at !== furthest + step && tries < maxTries; at += step) {
      const before = bytes[at - 1];
      const after = bytes[at];
      // At the edge of the bytes one neighbour is unknown.
      if (before === undefined || after === undefined || !fits(before, after)) continue;
      tries++;
      // A cut splits a secret if scrubbing the halves gives another text than scrubbing the whole.
      if (scrub(text.slice(0, at)) + scrub(text.slice(at)) === whole) return at;
    }
  }
  return undefined;
}
