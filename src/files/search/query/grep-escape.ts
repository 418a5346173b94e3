import type { PatternReader } from './grep-pattern-reader.js';
import { unicodeProperty } from './grep-property.js';
import { type Assertion, type CharacterSet, PatternError } from './grep-syntax.js';

/** What stands behind a backslash. */
export type Escape =
  | { readonly kind: 'character'; readonly codePoint: number }
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'assertion'; readonly assertion: Assertion };

const controls: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, f: 12, v: 11, a: 7 };
const assertions: Readonly<Record<string, Assertion>> = {
  A: 'text_start',
  z: 'text_end',
  b: 'word',
  B: 'no_word',
  '<': 'word_start',
  '>': 'word_end',
};
const bounded: Readonly<Record<string, Assertion>> = {
  start: 'word_start',
  end: 'word_end',
  'start-half': 'word_start_half',
  'end-half': 'word_end_half',
};
const hexDigits: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** Reads an escape; the backslash has been taken. */
export function readEscape(reader: PatternReader): Escape {
  const letter = reader.next('incomplete escape sequence');
  if (/[0-9]/.test(letter)) throw new PatternError('backreferences are not supported');
  const assertion = assertions[letter];
  if (assertion !== undefined)
    return { kind: 'assertion', assertion: letter === 'b' ? readBoundary(reader) : assertion };
  const control = controls[letter];
  if (control !== undefined) return { kind: 'character', codePoint: control };
  if (/[dsw]/i.test(letter)) {
    const name = letter.toLowerCase() as 'd' | 's' | 'w';
    return { kind: 'set', set: { kind: 'perl', name, negated: letter !== name } };
  }
  if (letter === 'p' || letter === 'P') return { kind: 'set', set: readProperty(reader, letter === 'P') };
  const digits = hexDigits[letter];
  if (digits !== undefined) return { kind: 'character', codePoint: readHex(reader, digits) };
  if (/[A-Za-z]/.test(letter) || letter.charCodeAt(0) > 127)
    throw new PatternError(`unrecognized escape sequence \\${letter}`);
  return { kind: 'character', codePoint: letter.codePointAt(0) ?? 0 };
}

function readBoundary(reader: PatternReader): Assertion {
  for (const [name, assertion] of Object.entries(bounded)) {
    if (reader.take(`{${name}}`)) return assertion;
  }
  return 'word';
}

function readProperty(reader: PatternReader, negated: boolean): CharacterSet {
  if (!reader.take('{')) return property(reader.next('incomplete \\p'), negated);
  return property(reader.takeUntil('}', 'unclosed \\p{'), negated);
}

function property(name: string, negated: boolean): CharacterSet {
  const wanted = unicodeProperty(name);
  if (wanted === undefined) throw new PatternError(`Unicode property not found: ${name}`);
  return { kind: 'property', name: wanted.name, negated: negated !== wanted.negated };
}

function readHex(reader: PatternReader, digits: number): number {
  let text = '';
  if (reader.take('{')) text = reader.takeUntil('}', 'unclosed hexadecimal escape');
  else for (let index = 0; index < digits; index++) text += reader.next('incomplete hexadecimal escape');
  const codePoint = /^[0-9a-f]{1,8}$/i.test(text) ? Number.parseInt(text, 16) : -1;
  if (codePoint < 0 || codePoint > 0x10ffff || (codePoint >= 0xd800 && codePoint <= 0xdfff)) {
    throw new PatternError(`invalid hexadecimal escape ${JSON.stringify(text)}`);
  }
  return codePoint;
}
