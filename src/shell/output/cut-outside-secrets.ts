import { shellNumbers } from '../../core/numbers.js';

/** Bytes on either side of a cut that are looked at. */
export const cutContextBytes = shellNumbers.holdBackChars;

const newline = 0x0a;
const blank = 0x20;
/** How many places of each sort are tried: after a line, after a word, anywhere between two characters. */
const sorts: readonly { readonly fits: (before: number, after: number) => boolean; readonly maxTries: number }[] = [
  { fits: (before) => before === newline, maxTries: 48 },
  { fits: (before) => before === blank, maxTries: 16 },
  { fits: (_, after) => (after & 0xc0) !== 0x80, maxTries: 192 },
];

/** Where output is to be cut. */
export interface CutWish {
  /** Index in the bytes at which it would be cut best. */
  readonly wanted: number;
  /** The furthest index it may be cut at instead, before or behind. */
  readonly furthest: number;
  /** Takes secrets out of a text. */
  readonly scrub: (text: string) => string;
}

/**
 * The index nearest to the wanted one at which a cut goes through no secret: after a line where one ends, else after a
 * word, else between two characters. Undefined where every cut that was tried goes through one.
 */
export function safeCut(bytes: Buffer, { wanted, furthest, scrub }: CutWish): number | undefined {
  const text = bytes.toString('latin1');
  const whole = scrub(text);
  const step = furthest < wanted ? -1 : 1;
  for (const { fits, maxTries } of sorts) {
    let tries = 0;
    for (let at = wanted; at !== furthest + step && tries < maxTries; at += step) {
      const before = bytes[at - 1];
      const after = bytes[at];
      // At the edge of the bytes nothing can be said.
      if (before === undefined || after === undefined || !fits(before, after)) continue;
      tries++;
      // Of a secret that is cut in two the parts look different from the whole.
      if (scrub(text.slice(0, at)) + scrub(text.slice(at)) === whole) return at;
    }
  }
  return undefined;
}
