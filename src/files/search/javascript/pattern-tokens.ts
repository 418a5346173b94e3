import { PatternError } from '../query/pattern-error.js';

/** The parts of a pattern: escapes, classes, openings of groups, counts and single characters. */
export interface PatternTokens {
  readonly tokens: readonly string[];
  /** Texts that every match contains, the longest first. */
  readonly literals: readonly string[];
  /** The pattern sets the flag `i` somewhere. */
  readonly ignoresCase: boolean;
  /** The pattern contains `\b` or `\B`. */
  readonly hasWordBoundaries: boolean;
}

// Each part is read in linear time, even if its end is missing (no ReDoS).
const token =
  /\\(?:[pP]\{[^}\\]*\}|[pP].|[xuU]\{[^}\\]*\}|x..|u.{4}|U.{8}|b\{[^}\\]*\}|.)|\[\^?\]?(?:\\.|\[:\^?[a-z]+:\]|[^\]\\])*\]?|\((?:\?(?:P?<[^=!>(][^>(]*>|<?[=!]|[a-zA-Z-]*[:)]?))?|\{\s*(?:\d+\s*)?(?:,\s*(?:\d+\s*)?)?\}\??|[*+?]\??|./gsu;
const wholeClass = /^\[\^?\]?(?:\\.|\[:\^?[a-z]+:\]|[^\]\\])*\]$/su;
const quantifier = /^(?:[*+?]|\{.)/s;
const single = /^[^\\[(){*+?.^$|]$|^\\[^\w]$/u;
const flagsAlone = /^\(\?[a-zA-Z-]*\)$/;

/**
 * Reads a pattern of Rust's `regex` crate (docs.rs/regex, "Syntax"), which ripgrep uses. Throws a {@link PatternError}
 * for syntax that the crate forbids although the engine accepts it, and for syntax that means something else to the
 * engine.
 */
export function readPattern(pattern: string, multiline: boolean): PatternTokens {
  const tokens = pattern.match(token) ?? [];
  for (const part of tokens) refuse(part, multiline);
  return {
    tokens,
    literals: literalsOf(tokens),
    ignoresCase: tokens.some((part) => /^\(\?[a-zA-Z-]*i/.test(part)),
    hasWordBoundaries: tokens.some((part) => /^\\[bB]$/.test(part)),
  };
}

/** The error for a part of a pattern that only ripgrep supports. */
export function needsRipgrep(what: string): PatternError {
  return new PatternError(`this pattern needs ripgrep: it contains ${what}`);
}

const refusals: readonly (readonly [form: RegExp, refusal: (part: string) => PatternError])[] = [
  [/^\(\?<?[=!]/, () => broken('look-around, including look-ahead and look-behind, is not supported')],
  [/^\(\?\)|^\(\?P?<(?![A-Za-z_])/, (part) => broken(`invalid group: ${part}`)],
  [/^\\[xuU]\{?0*d[89a-f]..\}?$/i, (part) => broken(`invalid hexadecimal escape: ${part}`)],
  [/\\[pP]\{(?:\^|Cs\}|Surrogate|Unknown|Zzzz)/, () => needsRipgrep('a Unicode property that only ripgrep supports')],
  [/^\\\d/, () => broken('backreferences are not supported')],
  [/^\(\?-?[isU]*[^isUP<:)-]/, () => needsRipgrep('flags other than i, s and U')],
  [/^\\(?:b\{|[AzQ<>])/, (part) => needsRipgrep(part)],
  [/^\{(?:\s*\d+\s+|\s+\d|\s*,)/, () => needsRipgrep('a count that is written with blanks or without a minimum')],
  [/^\{(?!\d)/, () => broken('repetition quantifier expects a valid decimal; write \\{ for the character')],
  [
    /^\\x(?:00|\{0+\})$|^\[(?:\\x(?:00|\{0+\})-?)+\]$/,
    () => new PatternError('the pattern contains "\\0", but it is impossible to match'),
  ],
  [/^\[.*\[(?!:\^?[a-z]+:\])/s, () => needsRipgrep('a class within a class')],
  [/^\[\^?\]?.*(?:&&|~~|[^[^-]--)/s, () => needsRipgrep('an operator in a class')],
  [/^\[.*\\[bBAz<>]/s, () => broken('invalid escape sequence found in character class')],
  [/^\[.*(?:\\[dswDSW]|\\[pP](?:\{[^}\\]*\}|.))-[^\]]/s, () => broken('invalid range boundary, must be a literal')],
];

function refuse(part: string, multiline: boolean): void {
  if (part.startsWith('[') && !wholeClass.test(part)) throw broken('unclosed character class');
  const found = refusals.find(([form]) => form.test(part));
  if (found !== undefined) throw found[1](part);
  const [, min, max] = /^\{(\d+),(\d+)\}/.exec(part) ?? [];
  if (Number(max) < Number(min)) throw broken('invalid repetition count range, the start must be <= the end');
  if (!multiline && /^(?:\n|\\n|\\x0a|\\[xu]\{0*a\}|\[(?:\n|\\n)\])$/i.test(part))
    throw new PatternError('the literal "\\n" is not allowed in a pattern unless multiline is true');
}

function broken(what: string): PatternError {
  return new PatternError(`regex parse error: ${what}`);
}

function literalsOf(tokens: readonly string[]): readonly string[] {
  const runs = [''];
  let depth = 0;
  for (const [index, part] of tokens.entries()) {
    if (part === '|' && depth === 0) return [];
    const isText = depth === 0 && single.test(part) && !quantifier.test(tokens[index + 1] ?? '');
    if (isText) runs[runs.length - 1] += part.startsWith('\\') ? part.slice(1) : part;
    else runs.push('');
    if (part.startsWith('(') && !flagsAlone.test(part)) depth++;
    if (part === ')') depth--;
  }
  return runs.filter((run) => run !== '').sort((left, right) => right.length - left.length);
}
