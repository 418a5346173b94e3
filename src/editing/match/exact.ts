import { encodeText, unitBytes } from '../encodings/encoding.js';
import { characterStart, isMultiByte, type LegacyName } from '../encodings/legacy-encoding.js';
import { type BrokenText, breakTokens, sequenceSpans } from './line-break-tokens.js';
import type { YieldToLoop } from './line-counter.js';
import { type LineBreakKind, lineBreakKind, type StoredText, unitAt } from './newlines.js';

/** A range of bytes that a search text was found in. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** How to search. */
export interface FindOptions {
  /**
   * Whether places that overlap count each (a search for the one place) or only the first of them (a replacement of
   * all).
   */
  readonly overlapping: boolean;
  readonly maxSpans: number;
}

// A stretch that is searched in a few milliseconds.
const windowBytes = 4_194_304;
// The search for longer ones is slow in bytes that repeat themselves.
const maxAnchorBytes = 256;
// So many bytes may be compared at places that begin like a match before one goes over to a search whose time does not
// depend on them.
const maxComparedShare = 8;
const maxComparedBytes = 1_048_576;
const yieldEvery = 256;
const lineBreak = /\r\n|\n/;

/** The lines of a search text, whatever line breaks it was written with. */
export function searchLines(text: string): string[] {
  return text.split(lineBreak);
}

/**
 * Where the text stands in the file, character by character; a line break matches any line break that the file uses.
 */
export async function findExact(
  stored: StoredText,
  text: string,
  options: FindOptions,
  yieldToLoop: YieldToLoop,
): Promise<Span[]> {
  const lines = searchLines(text);
  const kind = lines.length > 1 ? lineBreakKind(stored) : 'feeds';
  const pieces = (kind === 'feeds' ? [lines.join('\n')] : lines).map((line) => encodeText(line, stored.encoding));
  if (pieces.includes(undefined)) return [];
  const found = await new ExactSearch(stored, pieces as Buffer[], kind, options).run(yieldToLoop);
  return isMultiByte(stored.encoding) ? wholeCharacters(stored, found, yieldToLoop) : found;
}

// The bytes of one character can end and begin two others. Lines always begin with a character.
async function wholeCharacters(stored: StoredText, found: readonly Span[], yieldToLoop: YieldToLoop): Promise<Span[]> {
  const { bytes } = stored;
  const encoding = stored.encoding as LegacyName;
  const whole: Span[] = [];
  // A place where a character starts, as far on as one is known.
  let known = stored.start;
  for (const [index, span] of found.entries()) {
    if (index % yieldEvery === yieldEvery - 1) await yieldToLoop();
    if (known > span.start) continue;
    const feed = bytes.subarray(known, span.start).lastIndexOf(10);
    known = characterStart(bytes, known + feed + 1, span.start, encoding);
    if (known === span.start && characterStart(bytes, span.start, span.end, encoding) === span.end) whole.push(span);
  }
  return whole;
}

/** Looks for the longest piece of what is wanted, and around it for the rest. */
class ExactSearch {
  readonly #stored: StoredText;
  readonly #pieces: readonly Buffer[];
  readonly #kind: LineBreakKind;
  readonly #options: FindOptions;
  readonly #longest: number;
  #compared = 0;

  constructor(stored: StoredText, pieces: readonly Buffer[], kind: LineBreakKind, options: FindOptions) {
    this.#stored = stored;
    this.#pieces = pieces;
    this.#kind = kind;
    this.#options = options;
    this.#longest = pieces.reduce(
      (best, piece, index) => (piece.length > (pieces[best]?.length ?? 0) ? index : best),
      0,
    );
  }

  async run(yieldToLoop: YieldToLoop): Promise<Span[]> {
    const { bytes, start, encoding } = this.#stored;
    const { overlapping, maxSpans } = this.#options;
    const anchor = (this.#pieces[this.#longest] as Buffer).subarray(0, maxAnchorBytes);
    if (anchor.length === 0) return this.#runSlowly([], yieldToLoop);
    const unit = unitBytes(encoding);
    const spans: Span[] = [];
    let from = start;
    let window = bytes.subarray(0, 0);
    for (let round = 0; from < bytes.length && spans.length < maxSpans; round++) {
      if (round % yieldEvery === yieldEvery - 1) await yieldToLoop();
      if (from + anchor.length > window.length)
        window = bytes.subarray(0, Math.min(bytes.length, from + windowBytes + anchor.length - 1));
      const at = window.indexOf(anchor, from);
      if (at < 0) {
        from = window.length === bytes.length ? bytes.length : window.length - anchor.length + 1;
        await yieldToLoop();
        continue;
      }
      const span = (at - start) % unit === 0 ? this.#spanAround(at) : undefined;
      const isFree = span !== undefined && (overlapping || span.start >= (spans.at(-1)?.end ?? start));
      if (isFree) spans.push(span);
      from = isFree && !overlapping ? Math.max(at + 1, span.end) : at + 1;
      if (this.#compared > bytes.length * maxComparedShare + maxComparedBytes)
        return this.#runSlowly(spans, yieldToLoop);
    }
    return spans;
  }

  #runSlowly(spans: Span[], yieldToLoop: YieldToLoop): Promise<Span[]> {
    const stored = this.#stored;
    const unit = unitBytes(stored.encoding);
    const codes = this.#pieces.map((piece) => {
      const text: StoredText = { bytes: piece, encoding: stored.encoding, start: 0 };
      return Array.from({ length: piece.length / unit }, (_, index) => unitAt(text, index * unit));
    });
    const text: BrokenText = {
      kind: this.#kind,
      start: stored.start,
      end: stored.bytes.length,
      unit,
      codeAt: (at) => unitAt(stored, at),
    };
    return sequenceSpans(text, breakTokens(codes, this.#kind), this.#options, spans, yieldToLoop);
  }

  #spanAround(at: number): Span | undefined {
    let end = at;
    let start = at;
    for (let index = this.#longest; index < this.#pieces.length; index++) {
      const width = index === this.#longest ? 0 : this.#breakFrom(end);
      const piece = this.#pieces[index] as Buffer;
      if (width < 0 || !this.#standsAt(piece, end + width)) return undefined;
      end += width + piece.length;
    }
    for (let index = this.#longest - 1; index >= 0; index--) {
      const width = this.#breakUntil(start);
      const piece = this.#pieces[index] as Buffer;
      if (width < 0 || !this.#standsAt(piece, start - width - piece.length)) return undefined;
      start -= width + piece.length;
    }
    return { start, end };
  }

  #standsAt(piece: Buffer, at: number): boolean {
    const { bytes, start } = this.#stored;
    if (at < start || at + piece.length > bytes.length) return false;
    this.#compared += piece.length + 8;
    return bytes.compare(piece, 0, piece.length, at, at + piece.length) === 0;
  }

  /** How many bytes the line break takes that begins at an offset; -1 where none does. */
  #breakFrom(at: number): number {
    const unit = unitBytes(this.#stored.encoding);
    const code = unitAt(this.#stored, at);
    if (this.#kind === 'returns') return code === 13 ? unit : -1;
    if (code === 13) return unitAt(this.#stored, at + unit) === 10 ? 2 * unit : -1;
    return code === 10 && unitAt(this.#stored, at - unit) !== 13 ? unit : -1;
  }

  /** How many bytes the line break takes that ends at an offset; -1 where none does. */
  #breakUntil(at: number): number {
    const unit = unitBytes(this.#stored.encoding);
    const code = unitAt(this.#stored, at - unit);
    if (this.#kind === 'returns') return code === 13 ? unit : -1;
    if (code !== 10) return -1;
    return unitAt(this.#stored, at - 2 * unit) === 13 ? 2 * unit : unit;
  }
}
