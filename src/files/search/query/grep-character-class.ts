import { readEscape } from './grep-escape.js';
import type { PatternReader } from './grep-pattern-reader.js';
import { type CharacterSet, PatternError } from './grep-syntax.js';

const posix: Readonly<Record<string, readonly (readonly [from: number, to: number])[]>> = {
  alnum: [
    [48, 57],
    [65, 90],
    [97, 122],
  ],
  alpha: [
    [65, 90],
    [97, 122],
  ],
  ascii: [[0, 127]],
  blank: [
    [9, 9],
    [32, 32],
  ],
  cntrl: [
    [0, 31],
    [127, 127],
  ],
  digit: [[48, 57]],
  graph: [[33, 126]],
  lower: [[97, 122]],
  print: [[32, 126]],
  punct: [
    [33, 47],
    [58, 64],
    [91, 96],
    [123, 126],
  ],
  space: [
    [9, 13],
    [32, 32],
  ],
  upper: [[65, 90]],
  word: [
    [48, 57],
    [65, 90],
    [95, 95],
    [97, 122],
  ],
  xdigit: [
    [48, 57],
    [65, 70],
    [97, 102],
  ],
};

const operators = ['&&', '--', '~~'] as const;

/**
 * Reads a bracketed class; the opening bracket has been taken. Nested classes and the operators `&&`, `--` and `~~`
 * bind as in the `regex` crate: from the left.
 */
export function readCharacterClass(reader: PatternReader, ignoreWhitespace: boolean): CharacterSet {
  const negated = reader.take('^');
  const sets: CharacterSet[] = [];
  skipSpace(reader, ignoreWhitespace);
  while (reader.take('-')) sets.push(single(45));
  if (sets.length === 0 && reader.take(']')) sets.push(single(93));
  let left: { readonly set: CharacterSet; readonly operator: '&&' | '--' | '~~' } | undefined;
  for (;;) {
    skipSpace(reader, ignoreWhitespace);
    if (reader.take(']')) break;
    const operator = operators.find((candidate) => reader.take(candidate));
    if (operator === undefined) {
      sets.push(readItem(reader, ignoreWhitespace));
      continue;
    }
    left = { set: combine(left, union(sets.splice(0))), operator };
  }
  const set = combine(left, union(sets));
  return negated ? { kind: 'union', sets: [set], negated: true } : set;
}

function combine(
  left: { readonly set: CharacterSet; readonly operator: '&&' | '--' | '~~' } | undefined,
  right: CharacterSet,
): CharacterSet {
  return left === undefined ? right : { kind: 'operation', operator: left.operator, left: left.set, right };
}

function readItem(reader: PatternReader, ignoreWhitespace: boolean): CharacterSet {
  if (reader.peek() === '[') {
    const named = readPosix(reader);
    if (named !== undefined) return named;
    reader.next('');
    return readCharacterClass(reader, ignoreWhitespace);
  }
  const from = readMember(reader);
  skipSpace(reader, ignoreWhitespace);
  if (reader.peek() !== '-' || reader.peek(1) === ']' || reader.peek(1) === '-') return from;
  reader.next('');
  skipSpace(reader, ignoreWhitespace);
  const to = readMember(reader);
  if (from.kind !== 'range' || to.kind !== 'range') throw new PatternError('invalid range boundary, must be a literal');
  if (to.to < from.from) throw new PatternError('invalid character class range, the start must be <= the end');
  return { kind: 'range', from: from.from, to: to.to };
}

function readMember(reader: PatternReader): CharacterSet {
  const character = reader.next('unclosed character class');
  if (character !== '\\') return single(character.codePointAt(0) ?? 0);
  const escaped = readEscape(reader);
  if (escaped.kind === 'assertion') throw new PatternError('invalid escape sequence found in character class');
  return escaped.kind === 'set' ? escaped.set : single(escaped.codePoint);
}

function readPosix(reader: PatternReader): CharacterSet | undefined {
  const start = reader.position;
  if (!reader.take('[:')) return undefined;
  const negated = reader.take('^');
  let name = '';
  while (/[a-z]/.test(reader.peek())) name += reader.next('');
  const ranges = Object.hasOwn(posix, name) ? posix[name] : undefined;
  if (ranges !== undefined && reader.take(':]')) {
    return { kind: 'union', sets: ranges.map(([from, to]) => ({ kind: 'range', from, to })), negated };
  }
  reader.returnTo(start);
  return undefined;
}

function skipSpace(reader: PatternReader, ignoreWhitespace: boolean): void {
  while (ignoreWhitespace && /^\s$/.test(reader.peek())) reader.next('');
}

function single(codePoint: number): CharacterSet {
  return { kind: 'range', from: codePoint, to: codePoint };
}

function union(sets: readonly CharacterSet[]): CharacterSet {
  const [only] = sets;
  return sets.length === 1 && only !== undefined ? only : { kind: 'union', sets, negated: false };
}
