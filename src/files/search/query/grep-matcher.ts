import type { GrepQuery } from '../../../host/file-system.js';
import { requiredLiterals } from './grep-literal.js';
import { parsePattern } from './grep-parser.js';
import { type CharacterSet, PatternError, type PatternNode } from './grep-syntax.js';
import type { DecodedText } from './grep-text.js';
import { foldsCase, translatePattern } from './grep-translate.js';

const otherLineEnds = /[\r\u2028\u2029]/;

/** A search pattern, ready for any text. Expressions are made when the first text of their kind comes. */
export class GrepMatcher {
  /** A match may hold a line feed or look at the ends of lines, so a file has to be searched as a whole. */
  readonly crossesLines: boolean;
  readonly #node: PatternNode;
  readonly #literals: readonly Buffer[];
  readonly #acrossLines: boolean;
  readonly #flags: string;
  readonly #isAnchored: boolean;
  readonly #expressions = new Map<string, RegExp>();

  /** Throws a {@link PatternError} when the pattern cannot be used. */
  constructor({ pattern, ignoreCase, multiline }: Pick<GrepQuery, 'pattern' | 'ignoreCase' | 'multiline'>) {
    this.#node = parse(pattern, ignoreCase, multiline);
    if (!multiline) refuse(this.#node, 10, 'the literal "\\n" is not allowed in a pattern unless multiline is true');
    refuse(this.#node, 0, 'the pattern contains "\\0", but it is impossible to match');
    this.#acrossLines = multiline;
    this.#isAnchored = hasLineAnchor(this.#node);
    this.#flags = foldsCase(this.#node) ? 'gimv' : 'gmv';
    this.crossesLines = multiline && crossesLines(this.#node);
    this.#literals = requiredLiterals(this.#node);
    this.expressionFor({ text: '', kind: 'unicode' });
  }

  /** Quickly tells of most UTF-8 texts that cannot match, before they are decoded. */
  mayMatch(bytes: Buffer): boolean {
    return this.#literals.every((literal) => bytes.indexOf(literal) !== -1);
  }

  /** The expression for a text; global, so set `lastIndex` before use. */
  expressionFor({ text, kind }: DecodedText): RegExp {
    const plainLineEnds = !this.#isAnchored || !otherLineEnds.test(text);
    const key = `${kind} ${plainLineEnds}`;
    const known = this.#expressions.get(key);
    if (known !== undefined) return known;
    const source = translatePattern(this.#node, { text: kind, acrossLines: this.#acrossLines, plainLineEnds });
    const made = compile(source, this.#flags);
    this.#expressions.set(key, made);
    return made;
  }
}

function parse(pattern: string, ignoreCase: boolean, multiline: boolean): PatternNode {
  try {
    return parsePattern(pattern, { ignoreCase, dotMatchesNewline: multiline });
  } catch (cause) {
    if (cause instanceof PatternError) throw new PatternError(`regex parse error: ${cause.message}`);
    throw cause;
  }
}

function compile(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch (cause) {
    throw new PatternError(
      `the JavaScript engine cannot use it: ${cause instanceof Error ? cause.message : String(cause)}`,
    );
  }
}

function crossesLines(node: PatternNode): boolean {
  if (node.kind === 'literal') return node.codePoint === 10;
  if (node.kind === 'dot') return node.matchesNewline;
  if (node.kind === 'class') {
    const source = translatePattern(node, { text: 'unicode', acrossLines: true, plainLineEnds: true });
    return new RegExp(`^${source}$`, 'v').test('\n');
  }
  if (node.kind === 'assertion') return /^(?:line|text)_/.test(node.assertion);
  return node.kind === 'repeat' ? crossesLines(node.node) : node.nodes.some(crossesLines);
}

function hasLineAnchor(node: PatternNode): boolean {
  if (node.kind === 'assertion') return node.assertion === 'line_start' || node.assertion === 'line_end';
  if (node.kind === 'repeat') return hasLineAnchor(node.node);
  return (node.kind === 'sequence' || node.kind === 'choice') && node.nodes.some(hasLineAnchor);
}

/** What can never be found is refused, as ripgrep does; saying so beats finding nothing. */
function refuse(node: PatternNode, codePoint: number, reason: string): void {
  if (node.kind === 'literal' && node.codePoint === codePoint) throw new PatternError(reason);
  if (node.kind === 'class' && isOnly(node.set, codePoint)) throw new PatternError(reason);
  if (node.kind === 'repeat') refuse(node.node, codePoint, reason);
  if (node.kind === 'sequence' || node.kind === 'choice')
    for (const child of node.nodes) refuse(child, codePoint, reason);
}

function isOnly(set: CharacterSet, codePoint: number): boolean {
  if (set.kind === 'range') return set.from === codePoint && set.to === codePoint;
  return (
    set.kind === 'union' && !set.negated && set.sets.length > 0 && set.sets.every((member) => isOnly(member, codePoint))
  );
}
