import { isAscii, isUtf8 } from 'node:buffer';
import { type LinearEngine, type LinearPattern, linearEngine } from '../../../core/schema/linear-engine.js';
import { patternSize } from '../../../core/schema/pattern-test.js';
import type { GrepQuery } from '../../../ports/file-system.js';
import { PatternError } from './pattern-error.js';
import { markedText, type PatternForm, placeWithoutMarks, writePattern } from './pattern-forms.js';
import { needsRipgrep, type PatternTokens, readPattern } from './pattern-tokens.js';

type Query = Pick<GrepQuery, 'pattern' | 'ignoreCase' | 'multiline'>;

/** A part of a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Instructions of a pattern at most; to compile as many takes some 10 ms. */
const maxSize = 5_000;
/** Instructions times characters that are run without a break; a text and a pattern made for it take 0.5 s. */
const maxSteps = 20_000_000;
const maxPieceSteps = 1_000_000;
const notAscii = /[^\0-\x7f]/;
/** What ripgrep refuses as well. */
const brokenPattern = /missing (?:closing|argument)|unexpected \)|trailing backslash|duplicate|range: `[^\\[]/;

/** A search pattern on an engine whose time is linear in the text, ready for any text. */
export class GrepPattern {
  /** A match may hold a line feed or look at the ends of lines, so a file has to be searched as a whole. */
  readonly crossesLines: boolean;
  /** So many characters are looked through in one step, or one line. */
  readonly pieceChars: number;
  /** The longest line, or text where matches cross lines, that is looked through. */
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
    this.#parts = readPattern(query.pattern, query.multiline);
    if (patternSize(query.pattern) > maxSize) throw needsRipgrep(`more than ${maxSize} parts, repeats counted`);
    const size = Math.max(1, this.#form('ascii').programSize());
    this.maxChars = maxSteps / size;
    this.pieceChars = maxPieceSteps / size;
    this.crossesLines = query.multiline && this.#parts.tokens.some((part) => this.#takesLineFeed(part));
    this.#literals = this.#ignoresCase ? [] : this.#parts.literals.map((literal) => Buffer.from(literal));
  }

  /** Quickly tells of most UTF-8 texts that cannot match, before they are decoded. */
  mayMatch(bytes: Buffer): boolean {
    return this.#literals.every((literal) => bytes.includes(literal));
  }

  /** The first place from `from` on that a match may hold; -1 where there is none. */
  candidate({ text, kind }: DecodedText, from: number): number {
    const [literal] = this.#parts.literals;
    if (literal === undefined) return from;
    if (!this.#ignoresCase) return text.indexOf(literal, from);
    const flags = kind === 'ascii' ? 'gi' : 'giu';
    const finder = this.#finders.get(flags) ?? new RegExp(literal.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), flags);
    this.#finders.set(flags, finder);
    finder.lastIndex = from;
    return finder.exec(text)?.index ?? -1;
  }

  /** Whether anything in a text of one or many lines can match; what {@link candidate} finds is looked at line by line. */
  mayHold({ text, kind }: DecodedText): boolean {
    if (this.#parts.literals.length > 0 && !this.crossesLines) return true;
    if (kind === 'broken' || (kind !== 'ascii' && this.#parts.hasEdges)) return true;
    return this.#form(kind).test(text);
  }

  /** Whether a line, or a text where matches cross lines, holds a match. */
  isIn({ text, kind }: DecodedText): boolean {
    const form = this.#formFor(text, kind);
    return this.#form(form).test(form === 'marked' ? markedText(text, kind === 'broken') : text);
  }

  /** The matches in a line, or in a text where matches cross lines. */
  *matches({ text, kind }: DecodedText): Generator<Span> {
    const form = this.#formFor(text, kind);
    const searched = form === 'marked' ? markedText(text, kind === 'broken') : text;
    const place = (at: number) => (form === 'marked' ? placeWithoutMarks(searched, at) : at);
    const matcher = this.#form(form).matcher(searched);
    while (matcher.find()) yield { start: place(matcher.start()), end: place(matcher.end()) };
  }

  get #ignoresCase(): boolean {
    return this.#query.ignoreCase || this.#parts.ignoresCase;
  }

  #formFor(text: string, kind: DecodedText['kind']): PatternForm {
    if (kind === 'ascii' || !notAscii.test(text)) return 'ascii';
    return this.#parts.hasEdges || (kind === 'broken' && text.includes('\ufffd')) ? 'marked' : 'unicode';
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
      // The engine writes the flags before the pattern.
      const words = message.replace('error parsing regexp: ', '').replace(/`\(\?[ims]+\)/, '`');
      if (brokenPattern.test(words)) throw new PatternError(`regex parse error: ${words}`);
      throw needsRipgrep(`what re2 does not know: ${words}`);
    }
  }

  #takesLineFeed(part: string): boolean {
    if (/^[.^$]$/.test(part)) return true;
    return (
      /^(?:\\|\[|\n)/.test(part) && !/^\\[bB]$/.test(part) && this.#compile(writePattern([part], 'ascii')).test('\n')
    );
  }
}

/** Only ASCII, valid UTF-8, or text in which U+FFFD stands for bytes that are none. */
export type TextKind = 'ascii' | 'unicode' | 'broken';

/** Decoded text, and what can be said about it. */
export interface DecodedText {
  readonly text: string;
  readonly kind: TextKind;
}

/** Decodes UTF-8. */
export function decodeText(bytes: Buffer): DecodedText {
  if (isAscii(bytes)) return { text: bytes.toString('latin1'), kind: 'ascii' };
  return { text: bytes.toString('utf8'), kind: isUtf8(bytes) ? 'unicode' : 'broken' };
}
