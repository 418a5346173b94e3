import { isUtf8 } from 'node:buffer';
import { lineFeedsIn } from '../../core/text/lines-and-sizes.js';
import { decodeText, encodeText, type TextEncoding, unitBytes } from '../encodings/codecs.js';
import { isMultiByte } from '../encodings/legacy.js';
import { countLineFeeds } from '../encodings/line-feed-counter.js';
import { searchLines } from './line-breaks.js';

/** Larger files are not decoded as a whole, so only an exact match can be edited. */
export const maxDecodedBytes = 16_000_000;

/** A part of the text and its replacement, both in units. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly units: string;
}

/** Byte offsets of a part of a file that begins and ends with whole lines. */
export interface Region {
  readonly from: number;
  readonly until: number;
}

/**
 * The text of a file, or of a region of a file, as one string of units. Offsets count units. The units are the
 * characters of the text if these encode to the same bytes again. Except in UTF-16, the units of a file with invalid
 * bytes, or of more than 16 MB, are the bytes, each written as the character with the code of the byte. Any part can
 * then be cut out and put back unchanged, but only exact matches make sense.
 */
export class FileText {
  readonly bytes: Buffer;
  readonly encoding: TextEncoding;
  readonly units: string;
  readonly isExactOnly: boolean;
  readonly #hasCharacters: boolean;
  readonly #from: number;

  constructor(bytes: Buffer, encoding: TextEncoding, { from, until }: Region = wholeOf(bytes, encoding)) {
    this.bytes = bytes;
    this.encoding = encoding;
    this.#from = from;
    const body = bytes.subarray(from, until);
    const isLarge = body.length > maxDecodedBytes;
    const characters = charactersOf(body, encoding, isLarge);
    this.units = characters ?? body.toString('latin1');
    this.#hasCharacters = characters !== undefined;
    this.isExactOnly = isLarge || characters === undefined;
  }

  /** A string in units of the text; undefined if the encoding lacks one of its characters. */
  unitsOf(text: string): string | undefined {
    const encoded = encodeText(text, this.encoding.name);
    return this.#hasCharacters ? encoded && text : encoded?.toString('latin1');
  }

  /** A part of the text as characters, with U+FFFD for invalid bytes. */
  textOf(units: string): string {
    return this.#hasCharacters ? units : decodeText(Buffer.from(units, 'latin1'), this.encoding.name);
  }

  get isAfterMark(): boolean {
    return this.encoding.markBytes > 0 && this.#from === this.encoding.markBytes;
  }

  /** The text of a whole file, with U+FFFD for invalid bytes. */
  wholeText(slices: readonly Buffer[] = [this.bytes]): string {
    return decodeText(Buffer.concat(slices).subarray(this.encoding.markBytes), this.encoding.name);
  }

  /**
   * Returns a function that maps an offset to its line number, from 1. Each call counts only the lines between this
   * offset and the previous one.
   */
  lineCounter(): (offset: number) => number {
    let line = 1 + countLineFeeds(this.bytes.subarray(this.encoding.markBytes, this.#from));
    let at = 0;
    return (offset) => {
      line += offset < at ? -lineFeedsIn(this.units, offset, at) : lineFeedsIn(this.units, at, offset);
      at = offset;
      return line;
    };
  }

  /**
   * The slices of the file after replacements, which are in order and do not overlap. Bytes before the first and after
   * the last replacement are not copied.
   */
  spliced(replacements: readonly Replacement[]): Buffer[] {
    const [first, last] = [replacements[0], replacements.at(-1)];
    if (first === undefined || last === undefined) return [this.bytes];
    const from = this.#from + this.#byteLength(this.units.slice(0, first.start));
    const until = from + this.#byteLength(this.units.slice(first.start, last.end));
    const middle = isByteWide(this.encoding)
      ? this.#splicedBytes(replacements, first.start)
      : this.#bytesOf(this.replaced(replacements, first.start, last.end));
    return [this.bytes.subarray(0, from), middle, this.bytes.subarray(until)].filter(({ length }) => length > 0);
  }

  // Copies the kept bytes unchanged, because bytes without a character in the encoding cannot be encoded again.
  #splicedBytes(replacements: readonly Replacement[], from: number): Buffer {
    const parts: Buffer[] = [];
    let at = from;
    for (const { start, end, units } of replacements) {
      parts.push(this.bytes.subarray(this.#from + at, this.#from + start), this.#bytesOf(units));
      at = end;
    }
    return Buffer.concat(parts);
  }

  /** The units from `from` up to `until` after the replacements in that range. */
  replaced(replacements: readonly Replacement[], from: number, until: number): string {
    const parts: string[] = [];
    let at = from;
    for (const { start, end, units } of replacements) {
      parts.push(this.units.slice(at, start), units);
      at = end;
    }
    return parts.join('') + this.units.slice(at, until);
  }

  #byteLength(units: string): number {
    const { name } = this.encoding;
    if (!this.#hasCharacters) return units.length;
    if (name === 'utf-8') return Buffer.byteLength(units);
    return isMultiByte(name) ? this.#bytesOf(units).length : units.length * unitBytes(name);
  }

  #bytesOf(units: string): Buffer {
    if (!this.#hasCharacters) return Buffer.from(units, 'latin1');
    // Encoding cannot fail: all characters come from these bytes, or were checked before.
    return encodeText(units, this.encoding.name) ?? Buffer.of();
  }
}

function wholeOf(bytes: Buffer, { markBytes }: TextEncoding): Region {
  return { from: markBytes, until: bytes.length };
}

function isByteWide({ name }: TextEncoding): boolean {
  return name !== 'utf-8' && unitBytes(name) === 1 && !isMultiByte(name);
}

const maxAnchorBytes = 250;
const contextLines = 4;

/**
 * A part of a file that contains all exact matches and some lines around them, so that the rest need not be decoded.
 * Undefined if there can be no exact match.
 */
export function regionOf(bytes: Buffer, encoding: TextEncoding, wanted: string): Region | undefined {
  const whole = wholeOf(bytes, encoding);
  if (unitBytes(encoding.name) === 2) return whole;
  const lines = searchLines(wanted);
  const longest = lines.reduce((best, line) => (line.length > best.length ? line : best));
  const anchor = encodeText(longest.toWellFormed(), encoding.name)?.subarray(0, maxAnchorBytes);
  if (anchor === undefined) return undefined;
  if (anchor.length === 0) return whole;
  const first = bytes.indexOf(anchor, whole.from);
  if (first < 0) return undefined;
  let [from, until] = [first, bytes.lastIndexOf(anchor)];
  for (let line = 0; line < lines.length + contextLines && from > whole.from; line++)
    from = whole.from + bytes.subarray(whole.from, from - 1).lastIndexOf(10) + 1;
  for (let line = 0; line < lines.length + contextLines && until < bytes.length; line++) {
    const feed = bytes.indexOf(10, until);
    until = feed < 0 ? bytes.length : feed + 1;
  }
  return { from, until };
}

/** The characters of bytes; undefined if the characters encode to other bytes, or if the check would take too long. */
function charactersOf(body: Buffer, encoding: TextEncoding, isLarge: boolean): string | undefined {
  const { name } = encoding;
  // Node keeps all code units, even invalid ones, but drops an odd last byte.
  if (name === 'utf-16le') return body.toString('utf16le');
  if (name === 'utf-16be')
    return Buffer.from(body.subarray(0, body.length - (body.length % 2)))
      .swap16()
      .toString('utf16le');
  if (isLarge) return undefined;
  if (name === 'utf-8') return isUtf8(body) ? body.toString('utf8') : undefined;
  const text = decodeText(body, name);
  if (isByteWide(encoding)) return text;
  return encodeText(text, name)?.equals(body) === true ? text : undefined;
}
