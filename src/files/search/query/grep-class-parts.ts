import { PatternError } from './pattern-error.js';

/** The letters of escapes for control characters. */
export const controls: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, f: 12, v: 11, a: 7 };
/** The named classes of POSIX. */
export const posix = new Map(
  String.raw`alnum 0-9A-Za-z|alpha A-Za-z|ascii \x00-\x7f|blank \t\x20|cntrl \x00-\x1f\x7f|digit 0-9|graph \x21-\x7e
lower a-z|print \x20-\x7e|punct \x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e|space \t-\r\x20|upper A-Z|word 0-9A-Za-z_
xdigit 0-9A-Fa-f`
    .split(/[|\n]/)
    .map((row) => row.split(' ') as [name: string, ranges: string]),
);

/** What to throw for a part of a pattern that is beyond this engine. */
export function needsRipgrep(what: string): PatternError {
  return new PatternError(`this pattern needs ripgrep: it holds ${what}`);
}

/** A set of one character. */
export function one(codePoint: number): { readonly set: string; readonly codePoint: number } {
  return { set: `\\u{${codePoint.toString(16)}}`, codePoint };
}

/** The character that a hexadecimal escape stands for. */
export function hexOf(digits: string): number {
  const codePoint = Number.parseInt(digits, 16);
  if (codePoint > 0x10ffff || (codePoint >= 0xd800 && codePoint <= 0xdfff))
    throw new PatternError(`invalid hexadecimal escape ${JSON.stringify(digits)}`);
  return codePoint;
}

/** A Unicode property: general categories, binary properties and scripts that ECMAScript spells alike. */
export function propertyOf(letter: string, name: string): string {
  // The script of what is no character, and what is half of one, are known to ECMAScript alone.
  for (const each of /^(?:Zzzz|Unknown|Cs|Surrogate)$/.test(name) ? [] : [name, `Script=${name}`]) {
    try {
      // The flag `v` would take properties of strings too.
      new RegExp(`\\p{${each}}`, 'u');
      return `\\${letter}{${each}}`;
    } catch {}
  }
  throw needsRipgrep(`the Unicode property ${name}`);
}

/**
 * Every character but those of a set. A class within a class, since V8 11 (Node 20) negates `[^…]` twice in a group
 * that repeats, under the flag `v`.
 */
export function allBut(set: string): string {
  return set === '' ? '[\\s\\S]' : `[[^${set}]]`;
}
