import { type LinearEngine, type LinearPattern, linearEngine } from '../../../core/schema/linear-engine.js';
import { patternSize } from '../../../core/schema/test-pattern.js';
import { escapedForRegex } from '../../../core/text/regex-escape.js';
import type { GrepQuery } from '../../../ports/file-system.js';
import type { DecodedText } from '../query/decoded-text.js';
import { PatternError } from '../query/pattern-error.js';
import { lengthWithoutMarks, markedText, type PatternForm, writePattern } from './pattern-forms.js';
import { needsRipgrep, type PatternTokens, readPattern } from './pattern-tokens.js';

type Query = Pick<GrepQuery, 'pattern' | 'ignoreCase' | 'multiline'>;

export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * The maximum number of elements of a pattern, counting each repetition. A pattern of this size compiles in about 10
 * ms.
 */
const maxSize = 5_000;
const maxPatternChars = 16_000;
/** The same maximum for the form `unicode`, in which `\w` stands for hundreds of ranges. */
const maxUnicodeSize = 40_000;
/** Classes compile this many times slower if letter case is ignored. */
const ignoredCaseFactor = 4;
/**
 * The maximum work of one search without a pause: instructions of the compiled pattern times characters of the text.
 * The slowest pattern and text take 0.5 s.
 */
const maxSteps = 20_000_000;
const maxPieceSteps = 1_000_000;
const notAscii = /[^\0-\x7f]/;
/** Messages of the engine for patterns that ripgrep also refuses. */
const brokenPattern = /missing (?:closing|argument)|unexpected \)|trailing backslash|duplicate|range: `[^\\[]/;

/** A compiled search pattern. Its engine takes time linear in the text (no ReDoS). */
export class GrepPattern {
  /** A match may contain a line feed or depend on the ends of lines, so a file must be searched as a whole. */
  readonly crossesLines: boolean;
  /** The number of characters searched in one step. A step searches at least one line. */
  readonly pieceChars: number;
  /** The longest line that can be searched; the longest text, if matches cross lines. */
  readonly maxChars: number;
  readonly #engine: LinearEngine;
  readonly #query: Query;
  readonly #parts: PatternTokens;
  readonly #literals: readonly Buffer[];
  readonly #finders = new Map<string, RegExp>();
  readonly #forms = new Map<PatternForm, LinearPattern>();

  /** Rejects with a {@link PatternError} when the pattern cannot be used. */
  static async of(query: Query): Promise<GrepPattern> {
    return new GrepPattern(await linearEngine(), query);
  }

  private constructor(engine: LinearEngine, query: Query) {
    this.#engine = engine;
    this.#query = query;
    if (query.pattern.length > maxPatternChars) throw needsRipgrep(`more than ${maxPatternChars} characters`);
    this.#parts = readPattern(query.pattern, query.multiline);
    if (patternSize(query.pattern) > maxSize)
      throw needsRipgrep(`more than ${maxSize} elements, counting each repetition`);
    const unicodeSize = patternSize(writePattern(this.#parts.tokens, 'unicode'));
    if (unicodeSize * (this.#ignoresCase ? ignoredCaseFactor : 1) > maxUnicodeSize)
      throw needsRipgrep('too many classes of Unicode characters, counting each repetition');
    const size = Math.max(1, this.#form('ascii').programSize());
    this.maxChars = maxSteps / size;
    this.pieceChars = maxPieceSteps / size;
    this.crossesLines = query.multiline && this.#parts.tokens.some((part) => this.#takesLineFeed(part));
    this.#literals = this.#ignoresCase ? [] : this.#parts.literals.map((literal) => Buffer.from(literal));
  }

  /** A quick test of UTF-8 text before it is decoded; false if the text cannot match. */
  mayMatch(bytes: Buffer): boolean {
    return this.#literals.every((literal) => bytes.includes(literal));
  }

  /**
   * Searches from `from` on for the first line that may contain a match. Returns a position in that line, or -1 if
   * there is no such line.
   */
  candidate({ text, kind }: DecodedText, from: number): number {
    const [literal] = this.#parts.literals;
    if (literal === undefined) return from;
    if (!this.#ignoresCase) return text.indexOf(literal, from);
    const flags = kind === 'ascii' ? 'gi' : 'giu';
    const finder = this.#finders.get(flags) ?? new RegExp(escapedForRegex(literal), flags);
    this.#finders.set(flags, finder);
    finder.lastIndex = from;
    return finder.exec(text)?.index ?? -1;
  }

  /**
   * A quick test of several lines at once. Returns false if no line can match. Returns true without a test if {@link
   * candidate} can find candidate lines faster, or if a test of several lines at once would not be exact.
   */
  mayHold({ text, kind }: DecodedText): boolean {
    if (this.#parts.literals.length > 0 && !this.crossesLines) return true;
    if (kind === 'broken' || (kind !== 'ascii' && this.#parts.hasWordBoundaries)) return true;
    return this.#form(kind).test(text);
  }

  /** Whether a line contains a match. If matches can cross lines: whether the whole text contains a match. */
  isIn({ text, kind }: DecodedText): boolean {
    const form = this.#formFor(text, kind);
    return this.#form(form).test(form === 'marked' ? markedText(text, kind === 'broken') : text);
  }

  /** The matches in a line, or in a text if matches cross lines. */
  *matches({ text, kind }: DecodedText): Generator<Span> {
    const form = this.#formFor(text, kind);
    const searched = form === 'marked' ? markedText(text, kind === 'broken') : text;
    let [known, plain] = [0, 0];
    // Positions ascend, so each position is counted from the previous one.
    const positionOf = (at: number) => {
      plain += form === 'marked' ? lengthWithoutMarks(searched.slice(known, at)) : at - known;
      known = at;
      return plain;
    };
    const matcher = this.#form(form).matcher(searched);
    while (matcher.find()) yield { start: positionOf(matcher.start()), end: positionOf(matcher.end()) };
  }

  get #ignoresCase(): boolean {
    return this.#query.ignoreCase || this.#parts.ignoresCase;
  }

  #formFor(text: string, kind: DecodedText['kind']): PatternForm {
    if (kind === 'ascii' || !notAscii.test(text)) return 'ascii';
    return this.#parts.hasWordBoundaries || (kind === 'broken' && text.includes('\ufffd')) ? 'marked' : 'unicode';
  }

  #form(form: PatternForm): LinearPattern {
    const known = this.#forms.get(form);
    if (known !== undefined) return known;
    const made = this.#compile(writePattern(this.#parts.tokens, form));
    this.#forms.set(form, made);
    return made;
  }

  #compile(written: string): LinearPattern {
    const { CASE_INSENSITIVE, DOTALL, MULTILINE, LOOKBEHINDS } = this.#engine;
    const { ignoreCase, multiline } = this.#query;
    const flags = MULTILINE | LOOKBEHINDS | (ignoreCase ? CASE_INSENSITIVE : 0) | (multiline ? DOTALL : 0);
    try {
      return this.#engine.compile(written, flags);
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      // The message of the engine contains the flags before the pattern.
      const words = message.replace('error parsing regexp: ', '').replace(/`\(\?[ims]+\)/, '`');
      if (brokenPattern.test(words)) throw new PatternError(`regex parse error: ${words}`);
      throw needsRipgrep(`syntax that re2 does not support: ${words}`);
    }
  }

  #takesLineFeed(part: string): boolean {
    if (/^[.^$]$/.test(part)) return true;
    return (
      /^(?:\\|\[|\n)/.test(part) && !/^\\[bB]$/.test(part) && this.#compile(writePattern([part], 'ascii')).test('\n')
    );
  }
}
