import { type Assertion, type CharacterSet, PatternError, type PatternNode } from './grep-syntax.js';

/**
 * Which text an expression is made for: only ASCII, valid UTF-8, or text in which lone surrogates stand for bytes that
 * are no UTF-8.
 */
export type TextKind = 'ascii' | 'unicode' | 'broken';

/** How a pattern is turned into an ECMAScript expression. */
export interface TranslateOptions {
  readonly text: TextKind;
  /** Matches may span lines; else nothing that is matched contains a line feed. */
  readonly acrossLines: boolean;
  /** `^` and `$` of ECMAScript will do, because the text has no line ends but line feeds. */
  readonly plainLineEnds: boolean;
}

/** Characters of a pattern once its counted repeats are written out. */
const maxSize = 110_000;
/** The last character with two cases, in the Adlam block. */
const lastCased = 0x1e943;

/**
 * The ECMAScript source, for the flags `m` and `v`, that matches what the pattern matches. Case is left to {@link
 * foldsCase}.
 */
export function translatePattern(node: PatternNode, options: TranslateOptions): string {
  if (size(node) > maxSize) throw new PatternError('compiled regex exceeds size limit');
  return write(node, options, isMixed(node));
}

/** Whether the whole pattern ignores case, so that the flag `i` says it. */
export function foldsCase(node: PatternNode): boolean {
  return cases(node).has(true) && !isMixed(node);
}

function size(node: PatternNode): number {
  if (node.kind === 'repeat') return 1 + size(node.node) * Math.max(1, Number.isFinite(node.max) ? node.max : node.min);
  return node.kind === 'sequence' || node.kind === 'choice'
    ? node.nodes.reduce((sum, child) => sum + size(child), 1)
    : 1;
}

function isMixed(node: PatternNode): boolean {
  return cases(node).size === 2;
}

function cases(node: PatternNode): ReadonlySet<boolean> {
  if (node.kind === 'literal' || node.kind === 'class') return new Set([node.ignoreCase]);
  if (node.kind === 'repeat') return cases(node.node);
  if (node.kind === 'sequence' || node.kind === 'choice')
    return new Set(node.nodes.flatMap((child) => [...cases(child)]));
  return new Set();
}

function write(node: PatternNode, options: TranslateOptions, mixed: boolean): string {
  switch (node.kind) {
    case 'literal':
      return mixed && node.ignoreCase ? bothCases(node.codePoint) : character(node.codePoint);
    case 'dot':
      return dot(node.matchesNewline && options.acrossLines, options.text);
    case 'class':
      if (mixed && node.ignoreCase)
        throw new PatternError('a character class that ignores case beside parts that do not needs ripgrep');
      return limited(writeSet(node.set, options), options);
    case 'assertion':
      return writeAssertion(node.assertion, options);
    case 'repeat':
      return `(?:${write(node.node, options, mixed)})${quantifier(node.min, node.max)}${node.greedy ? '' : '?'}`;
    case 'sequence':
      return node.nodes
        .map((child) =>
          child.kind === 'choice' ? `(?:${write(child, options, mixed)})` : write(child, options, mixed),
        )
        .join('');
    case 'choice':
      return node.nodes.map((child) => write(child, options, mixed)).join('|');
  }
}

function character(codePoint: number): string {
  const text = String.fromCodePoint(codePoint);
  return /^[A-Za-z0-9 _]$/.test(text) ? text : `\\u{${codePoint.toString(16)}}`;
}

/** Every character that is the same but for case. They are looked up among all that have case. */
function bothCases(codePoint: number): string {
  const text = String.fromCodePoint(codePoint);
  const same = new RegExp(`^${character(codePoint)}$`, 'iv');
  const forms = [codePoint];
  if (/\p{Cased}/u.test(text)) {
    for (let other = 65; other <= lastCased; other++) {
      if (other !== codePoint && same.test(String.fromCodePoint(other))) forms.push(other);
    }
  }
  return `[${forms.map(character).join('')}]`;
}

function dot(matchesNewline: boolean, text: TextKind): string {
  const surrogates = text === 'broken' ? '\\u{d800}-\\u{dfff}' : '';
  // Not [^], which V8 gets wrong together with the flag v and a repeat.
  if (matchesNewline) return surrogates === '' ? '[\\s\\S]' : `[^${surrogates}]`;
  return `[^\\n${surrogates}]`;
}

/** Takes away what a match may never contain. */
function limited(set: string, { acrossLines, text }: TranslateOptions): string {
  const without = `${acrossLines ? '' : '\\n'}${text === 'broken' ? '\\u{d800}-\\u{dfff}' : ''}`;
  return without === '' ? set : `[${set}--[${without}]]`;
}

function writeSet(set: CharacterSet, options: TranslateOptions): string {
  switch (set.kind) {
    case 'range':
      return set.from === set.to
        ? `[${classCharacter(set.from)}]`
        : `[${classCharacter(set.from)}-${classCharacter(set.to)}]`;
    case 'perl':
      return `[${set.negated ? '^' : ''}${perl(set.name, options.text)}]`;
    case 'property':
      return `[\\${set.negated ? 'P' : 'p'}{${set.name}}]`;
    case 'union':
      return `[${set.negated ? '^' : ''}${set.sets.map((member) => writeSet(member, options)).join('')}]`;
    case 'operation':
      return writeOperation(writeSet(set.left, options), writeSet(set.right, options), set.operator);
  }
}

function writeOperation(left: string, right: string, operator: '&&' | '--' | '~~'): string {
  return operator === '~~' ? `[[${left}--${right}][${right}--${left}]]` : `[${left}${operator}${right}]`;
}

function classCharacter(codePoint: number): string {
  return /^[A-Za-z0-9]$/.test(String.fromCodePoint(codePoint))
    ? String.fromCodePoint(codePoint)
    : `\\u{${codePoint.toString(16)}}`;
}

function perl(name: 'd' | 's' | 'w', text: TextKind): string {
  if (name === 'd') return text === 'ascii' ? '0-9' : '\\p{Nd}';
  if (name === 's') return text === 'ascii' ? '\\t-\\r ' : '\\p{White_Space}';
  return text === 'ascii' ? '0-9A-Za-z_' : '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}';
}

function writeAssertion(assertion: Assertion, options: TranslateOptions): string {
  const word = `[${perl('w', options.text)}]`;
  switch (assertion) {
    case 'line_start':
      return options.plainLineEnds ? '^' : '(?<![^\\n])';
    case 'line_end':
      return options.plainLineEnds ? '$' : '(?![^\\n])';
    case 'text_start':
      return options.acrossLines ? '(?<![\\s\\S])' : '(?<![^\\n])';
    case 'text_end':
      return options.acrossLines ? '(?![\\s\\S])' : '(?![^\\n])';
    case 'word':
      return options.text === 'ascii' ? '\\b' : `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`;
    case 'no_word':
      return options.text === 'ascii' ? '\\B' : noWordBoundary(word, options.text);
    case 'word_start':
      return `(?<!${word})(?=${word})`;
    case 'word_end':
      return `(?<=${word})(?!${word})`;
    case 'word_start_half':
      return `(?<!${word})`;
    case 'word_end_half':
      return `(?!${word})`;
  }
}

/** Beside a byte that is no UTF-8 there is no such place. */
function noWordBoundary(word: string, text: TextKind): string {
  const inside = `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word}))`;
  return text === 'broken' ? `(?<![\\u{d800}-\\u{dfff}])(?![\\u{d800}-\\u{dfff}])${inside}` : inside;
}

function quantifier(min: number, max: number): string {
  if (max === Number.POSITIVE_INFINITY) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`;
  if (min === 0 && max === 1) return '?';
  return min === max ? `{${min}}` : `{${min},${max}}`;
}
