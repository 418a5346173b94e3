import { type EncodingName, type TextEncoding, unitBytes } from '../encodings/encoding.js';

/** Text stored as bytes: the whole file, and what its bytes mean. */
export interface StoredText {
  readonly bytes: Buffer;
  readonly encoding: EncodingName;
  readonly knownBy?: TextEncoding['knownBy'];
  /** Where the text starts, after a byte order mark. */
  readonly start: number;
}

const lineFeed = 10;
const carriageReturn = 13;

/** Byte offset of the next line feed from `from` on, or -1. */
function nextLineFeed(stored: StoredText, from: number): number {
  return nextUnit(stored, lineFeed, from);
}

/** Byte offset of the last line feed that starts before `before`, or -1. */
function previousLineFeed({ bytes, encoding, start }: StoredText, before: number): number {
  const unit = unitBytes(encoding);
  if (before - unit < start) return -1;
  if (unit === 1) {
    const at = bytes.lastIndexOf(lineFeed, before - 1);
    return at < start ? -1 : at;
  }
  for (let at = before - unit; at >= start; at -= unit) {
    if (codeAt(bytes, at, encoding) === lineFeed) return at;
  }
  return -1;
}

/** Byte offset of the start of the line that holds `at`. */
export function lineStart(stored: StoredText, at: number): number {
  const feed = previousLineFeed(stored, at);
  return feed < 0 ? stored.start : feed + unitBytes(stored.encoding);
}

/** Byte offset just past the line that holds `at`, its line feed included. */
export function lineEnd(stored: StoredText, at: number): number {
  const feed = nextLineFeed(stored, at);
  return feed < 0 ? stored.bytes.length : feed + unitBytes(stored.encoding);
}

/** How many line feeds there are in a range of bytes. */
export function countLineFeeds(stored: StoredText, from: number, until: number): number {
  const range = { ...stored, bytes: stored.bytes.subarray(0, until) };
  const unit = unitBytes(stored.encoding);
  let count = 0;
  for (let at = nextLineFeed(range, from); at >= 0; at = nextLineFeed(range, at + unit)) count++;
  return count;
}

/** True where a line begins: at the start of the text and behind each line feed. */
export function isLineStart({ bytes, encoding, start }: StoredText, at: number): boolean {
  const before = at - unitBytes(encoding);
  return before < start || codeAt(bytes, before, encoding) === lineFeed;
}

/** True where a line begins, whatever kind of break is before it, and at the end of the text. */
export function isLineBoundary(stored: StoredText, at: number): boolean {
  const before = unitAt(stored, at - unitBytes(stored.encoding));
  if (before === carriageReturn) return unitAt(stored, at) !== lineFeed;
  return before === -1 || before === lineFeed || at >= stored.bytes.length;
}

/**
 * Tells the line break of the line that ends at or after an offset, else of the line before, else of a text with one
 * only; `\n` when there is none at all. It remembers what it saw, so that to ask for one offset after the other looks
 * at the file once.
 */
export function lineBreakFinder(stored: StoredText): (at: number) => string {
  let known: { readonly from: number; readonly until: number; readonly lineBreak: string } | undefined;
  return (at) => {
    if (known === undefined || at < known.from || at > known.until) {
      const next = nextLineFeed(stored, at);
      known = {
        from: at,
        until: next < 0 ? stored.bytes.length : next,
        lineBreak: lineBreakOf(stored, next < 0 ? previousLineFeed(stored, at) : next),
      };
    }
    return known.lineBreak;
  };
}

function lineBreakOf(stored: StoredText, feed: number): string {
  if (feed < 0) return nextUnit(stored, carriageReturn, stored.start) < 0 ? '\n' : '\r';
  const before = feed - unitBytes(stored.encoding);
  return before >= stored.start && codeAt(stored.bytes, before, stored.encoding) === carriageReturn ? '\r\n' : '\n';
}

/**
 * The line breaks of a text: line feeds only, carriage returns only (an old Mac file), or line feeds with a carriage
 * return before some of them.
 */
export type LineBreakKind = 'feeds' | 'returns' | 'mixed';

/** Which line breaks there are in this text. */
export function lineBreakKind(stored: StoredText): LineBreakKind {
  if (nextUnit(stored, carriageReturn, stored.start) < 0) return 'feeds';
  return nextUnit(stored, lineFeed, stored.start) < 0 ? 'returns' : 'mixed';
}

/** The line break that most lines of this text end with; undefined where none leads. */
export function usualLineBreak(stored: StoredText): '\n' | '\r\n' | '\r' | undefined {
  if (lineBreakKind(stored) === 'returns') return '\r';
  let lead = 0;
  for (
    let at = nextLineFeed(stored, stored.start);
    at >= 0;
    at = nextLineFeed(stored, at + unitBytes(stored.encoding))
  ) {
    lead += lineBreakOf(stored, at) === '\n' ? 1 : -1;
  }
  return lead === 0 ? undefined : lead > 0 ? '\n' : '\r\n';
}

/** What one line break is, as the source of a pattern. */
export function lineBreakPattern(stored: StoredText): string {
  return { feeds: '\\n', returns: '\\r', mixed: '(?:\\r\\n|(?<!\\r)\\n)' }[lineBreakKind(stored)];
}

/** The code unit at an offset; -1 outside of the text. */
export function unitAt({ bytes, encoding, start }: StoredText, at: number): number {
  return at < start || at + unitBytes(encoding) > bytes.length ? -1 : codeAt(bytes, at, encoding);
}

function nextUnit({ bytes, encoding }: StoredText, code: number, from: number): number {
  if (unitBytes(encoding) === 1) return bytes.indexOf(code, from);
  const needle = encoding === 'utf-16le' ? Buffer.from([code, 0]) : Buffer.from([0, code]);
  let at = bytes.indexOf(needle, from);
  // Two characters side by side can hold the bytes of a third between them.
  while (at >= 0 && (at - from) % 2 !== 0) at = bytes.indexOf(needle, at + 1);
  return at;
}

function codeAt(bytes: Buffer, at: number, encoding: EncodingName): number {
  if (unitBytes(encoding) === 1) return bytes[at] ?? -1;
  return encoding === 'utf-16le' ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at);
}
