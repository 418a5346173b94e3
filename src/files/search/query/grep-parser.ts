import { readCharacterClass } from './grep-character-class.js';
import { readEscape } from './grep-escape.js';
import { PatternReader } from './grep-pattern-reader.js';
import { PatternError, type PatternNode } from './grep-syntax.js';

interface Flags {
  readonly ignoreCase: boolean;
  readonly dotMatchesNewline: boolean;
  readonly anchorsMatchLines: boolean;
  readonly swapGreed: boolean;
  readonly ignoreWhitespace: boolean;
}

/** What a pattern starts with. */
export interface ParseOptions {
  readonly ignoreCase: boolean;
  /** `.` matches line breaks too. */
  readonly dotMatchesNewline: boolean;
}

const maxDepth = 200;

/**
 * Parses a pattern. Throws a {@link PatternError} for what the syntax does not allow, and for what this engine cannot
 * do.
 */
export function parsePattern(pattern: string, options: ParseOptions): PatternNode {
  const reader = new PatternReader(pattern);
  const flags: Flags = { ...options, anchorsMatchLines: true, swapGreed: false, ignoreWhitespace: false };
  const node = parseChoice(reader, flags, 0).node;
  if (!reader.isAtEnd) throw new PatternError('unopened group');
  return node;
}

function parseChoice(reader: PatternReader, outer: Flags, depth: number): { readonly node: PatternNode } {
  if (depth > maxDepth) throw new PatternError('nested too deeply');
  const branches: PatternNode[] = [];
  let nodes: PatternNode[] = [];
  let flags = outer;
  for (;;) {
    skipSpace(reader, flags);
    if (reader.isAtEnd || reader.peek() === ')') break;
    if (reader.take('|')) {
      branches.push(sequence(nodes));
      nodes = [];
      continue;
    }
    if (reader.peek() === '(') {
      const group = parseGroup(reader, flags, depth);
      if ('flags' in group) flags = group.flags;
      else nodes.push(parseRepeats(reader, group.node, flags));
      continue;
    }
    nodes.push(parseRepeats(reader, parseAtom(reader, flags), flags));
  }
  branches.push(sequence(nodes));
  const [only] = branches;
  return { node: branches.length === 1 && only !== undefined ? only : { kind: 'choice', nodes: branches } };
}

function parseAtom(reader: PatternReader, flags: Flags): PatternNode {
  const character = reader.next('pattern ends too early');
  if (/[*+?{]/.test(character)) throw new PatternError('repetition operator missing expression');
  if (character === '.') return { kind: 'dot', matchesNewline: flags.dotMatchesNewline };
  if (character === '^') return { kind: 'assertion', assertion: flags.anchorsMatchLines ? 'line_start' : 'text_start' };
  if (character === '$') return { kind: 'assertion', assertion: flags.anchorsMatchLines ? 'line_end' : 'text_end' };
  if (character === '[')
    return { kind: 'class', set: readCharacterClass(reader, flags.ignoreWhitespace), ignoreCase: flags.ignoreCase };
  if (character !== '\\')
    return { kind: 'literal', codePoint: character.codePointAt(0) ?? 0, ignoreCase: flags.ignoreCase };
  const escaped = readEscape(reader);
  if (escaped.kind === 'assertion') return escaped;
  if (escaped.kind === 'set') return { kind: 'class', set: escaped.set, ignoreCase: flags.ignoreCase };
  return { kind: 'literal', codePoint: escaped.codePoint, ignoreCase: flags.ignoreCase };
}

function parseGroup(
  reader: PatternReader,
  flags: Flags,
  depth: number,
): { readonly node: PatternNode } | { readonly flags: Flags } {
  reader.next('');
  let inner = flags;
  if (reader.take('?')) {
    if (/[=!]/.test(reader.peek()) || (reader.peek() === '<' && /[=!]/.test(reader.peek(1)))) {
      throw new PatternError('look-around, including look-ahead and look-behind, is not supported');
    }
    if (reader.take('P<') || reader.take('<')) {
      const name = reader.takeUntil('>', 'unclosed capture group name');
      if (!/^[\p{Alphabetic}_][\p{Alphabetic}\p{Nd}_.[\]]*$/u.test(name))
        throw new PatternError(`invalid capture group name: ${name}`);
      if (reader.groupNames.has(name)) throw new PatternError(`duplicate capture group name: ${name}`);
      reader.groupNames.add(name);
    } else {
      inner = parseFlags(reader, flags);
      if (reader.take(')')) return { flags: inner };
      if (!reader.take(':')) throw new PatternError('unrecognized flag');
    }
  }
  const group = parseChoice(reader, inner, depth + 1);
  if (!reader.take(')')) throw new PatternError('unclosed group');
  return group;
}

function parseFlags(reader: PatternReader, flags: Flags): Flags {
  if (reader.peek() === ')') throw new PatternError('repetition operator missing expression');
  let result = flags;
  let on = true;
  while (!/^[:)]$/.test(reader.peek())) {
    const letter = reader.next('unclosed group');
    if (letter === '-') on = false;
    else if (letter === 'i') result = { ...result, ignoreCase: on };
    else if (letter === 's') result = { ...result, dotMatchesNewline: on };
    else if (letter === 'm') result = { ...result, anchorsMatchLines: on };
    else if (letter === 'U') result = { ...result, swapGreed: on };
    else if (letter === 'x') result = { ...result, ignoreWhitespace: on };
    else if (letter === 'u' && on) continue;
    else if (letter === 'u' || letter === 'R')
      throw new PatternError(`the flag ${on ? '' : '-'}${letter} needs ripgrep`);
    else throw new PatternError('unrecognized flag');
  }
  return result;
}

function parseRepeats(reader: PatternReader, node: PatternNode, flags: Flags): PatternNode {
  let result = node;
  for (;;) {
    skipSpace(reader, flags);
    const range = parseRange(reader);
    if (range === undefined) return result;
    const greedy = reader.take('?') === flags.swapGreed;
    result = { kind: 'repeat', node: result, ...range, greedy };
  }
}

function parseRange(reader: PatternReader): { readonly min: number; readonly max: number } | undefined {
  if (reader.take('*')) return { min: 0, max: Number.POSITIVE_INFINITY };
  if (reader.take('+')) return { min: 1, max: Number.POSITIVE_INFINITY };
  if (reader.take('?')) return { min: 0, max: 1 };
  if (!reader.take('{')) return undefined;
  const min = parseCount(reader);
  const max = reader.take(',') ? (/^\s*\}$/.test(reader.peek()) ? Number.POSITIVE_INFINITY : parseCount(reader)) : min;
  if (!reader.take('}')) throw new PatternError('unclosed counted repetition');
  if (max < min) throw new PatternError('invalid repetition count range, the start must be <= the end');
  return { min, max };
}

function parseCount(reader: PatternReader): number {
  let digits = '';
  while (/^\s$/.test(reader.peek())) reader.next('');
  while (/[0-9]/.test(reader.peek())) digits += reader.next('');
  while (/^\s$/.test(reader.peek())) reader.next('');
  if (digits === '' || digits.length > 9) throw new PatternError('repetition quantifier expects a valid decimal');
  return Number(digits);
}

function skipSpace(reader: PatternReader, flags: Flags): void {
  if (!flags.ignoreWhitespace) return;
  for (;;) {
    if (reader.take('#')) while (!reader.isAtEnd && !reader.take('\n')) reader.next('');
    else if (/^\s$/.test(reader.peek())) reader.next('');
    else return;
  }
}

function sequence(nodes: readonly PatternNode[]): PatternNode {
  const [only] = nodes;
  return nodes.length === 1 && only !== undefined ? only : { kind: 'sequence', nodes };
}
