import { isAscii, isUtf8 } from 'node:buffer';
import { detectLegacy, encodeLegacy, isClear, type LegacyName } from './legacy.js';
import { weighUtf8 } from './utf8-likelihood.js';

/** The encoding of a stored text. Latin-1 text without a declaration is read as `windows-1252`. */
export type EncodingName = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | LegacyName;

/** The encoding of a file. */
export interface TextEncoding {
  readonly name: EncodingName;
  readonly markBytes: number;
  /** Whether some bytes are not valid; they are shown as U+FFFD, and edits elsewhere keep them. */
  readonly isDamaged: boolean;
  /** The source of the encoding. Undefined if a byte order mark or the bytes prove the encoding. */
  readonly knownBy?: 'declaration' | 'guess' | undefined;
  /** For a guess: the encoding that the file declares, and why it does not apply. */
  readonly declares?: string | undefined;
}

/**
 * The encoding of a file, by its byte order mark or its first bytes; undefined for binary data. `isWhole`: whether the
 * sample is the whole file; then an incomplete character at the end counts as damage.
 */
export function detectEncoding(sample: Uint8Array, isWhole: boolean): TextEncoding | undefined {
  const marked = byMark(sample);
  if (marked !== undefined)
    return marked.name === 'utf-8' ? { ...marked, isDamaged: !isUtf8(wholeCharacters(sample, isWhole)) } : marked;
  if (sample.includes(0)) return unmarkedUtf16(sample);
  const checked = wholeCharacters(sample, isWhole);
  if (isUtf8(checked))
    return hasManyControls(sample, 0.1) ? undefined : { name: 'utf-8', markBytes: 0, isDamaged: false };
  if (hasManyControls(sample, 0.05)) return undefined;
  const damaged: TextEncoding = { name: 'utf-8', markBytes: 0, isDamaged: true };
  const { good, broken } = weighUtf8(decodeText(sample.subarray(0, wholeLength(sample)), 'utf-8'));
  if (good > broken * 4) return damaged;
  const legacy = detectLegacy(sample, isWhole);
  if (legacy === undefined && good > broken) return damaged;
  const knownBy = legacy !== undefined && isClear(sample, legacy) ? undefined : 'guess';
  return { name: legacy ?? 'windows-1252', markBytes: 0, isDamaged: false, knownBy };
}

/** Decodes bytes. Does not handle a byte order mark: pass the bytes after the mark. */
export function decodeText(bytes: Uint8Array, encoding: EncodingName): string {
  if (encoding === 'utf-8') return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  if (encoding === 'windows-1252') return decodeWindows1252(bytes);
  return new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
}

/**
 * A decoder for pieces of one text, split at any byte. With `isLast`, an incomplete character at the end is invalid.
 */
export function pieceDecoder(encoding: EncodingName): { decode(bytes: Uint8Array, isLast: boolean): string } {
  if (encoding === 'windows-1252') return { decode: decodeWindows1252 };
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  return { decode: (bytes, isLast) => decoder.decode(bytes, { stream: !isLast }) };
}

/** The bytes of a text; undefined if the encoding lacks one of its characters. */
export function encodeText(text: string, encoding: EncodingName): Buffer | undefined {
  if (encoding === 'utf-8') return Buffer.from(text, 'utf8');
  if (encoding === 'utf-16le') return Buffer.from(text, 'utf16le');
  if (encoding === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  if (encoding === 'windows-1252') return encodeWindows1252(text);
  return isAscii(Buffer.from(text)) ? Buffer.from(text, 'latin1') : encodeLegacy(text, encoding);
}

/** The first character of a text that the encoding lacks, formatted for a message. */
export function lackingCharacter(text: string, encoding: EncodingName): string {
  return namedCharacter([...text].find((character) => encodeText(character, encoding) === undefined) ?? '');
}

/** A character with its code point. */
export function namedCharacter(character: string): string {
  const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  return `${JSON.stringify(character)} (U+${code})`;
}

/** Bytes of one code unit: 2 in UTF-16, else 1. */
export function unitBytes(encoding: EncodingName): 1 | 2 {
  return encoding === 'utf-16le' || encoding === 'utf-16be' ? 2 : 1;
}

/** The encoding of the byte order mark at the start of a sample; undefined if there is no mark. */
export function byMark(sample: Uint8Array): TextEncoding | undefined {
  const [first, second, third, fourth] = sample;
  if (first === 0xef && second === 0xbb && third === 0xbf) return { name: 'utf-8', markBytes: 3, isDamaged: false };
  if (first === 0xff && second === 0xfe && !(third === 0 && fourth === 0))
    return { name: 'utf-16le', markBytes: 2, isDamaged: false };
  if (first === 0xfe && second === 0xff) return { name: 'utf-16be', markBytes: 2, isDamaged: false };
  return undefined;
}

// Western text in UTF-16 has a zero in every second byte, and binaries do not.
function unmarkedUtf16(sample: Uint8Array): TextEncoding | undefined {
  const length = sample.length - (sample.length % 2);
  let even = 0;
  let odd = 0;
  for (let index = 0; index < length; index += 2) {
    if (sample[index] === 0) even++;
    if (sample[index + 1] === 0) odd++;
  }
  const pairs = length / 2;
  if (pairs < 2) return undefined;
  const name = odd / pairs > 0.7 && even === 0 ? 'utf-16le' : even / pairs > 0.7 && odd === 0 ? 'utf-16be' : undefined;
  const text = name && decodeText(sample.subarray(0, length), name).slice(0, controlSampleBytes);
  if (text === undefined || name === undefined || countControls(Array.from(text, (unit) => unit.charCodeAt(0))) > 0)
    return undefined;
  return { name, markBytes: 0, isDamaged: false };
}

function wholeCharacters(sample: Uint8Array, isWhole: boolean): Uint8Array {
  return isWhole ? sample : sample.subarray(0, wholeLength(sample));
}

function wholeLength(sample: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, sample.length); back++) {
    const byte = sample[sample.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? sample.length - back : sample.length;
  }
  return sample.length;
}

const controlSampleBytes = 4_096;
// Fewer control characters are no evidence of binary data.
const leastControls = 3;

function hasManyControls(bytes: Uint8Array, share: number): boolean {
  const count = countControls(bytes);
  return count >= leastControls && count / Math.min(bytes.length, controlSampleBytes) > share;
}

// Text contains no control characters except backspace, tab, line ends, form feed and escape.
function countControls(units: ArrayLike<number>): number {
  const length = Math.min(units.length, controlSampleBytes);
  let controls = 0;
  for (let index = 0; index < length; index++) {
    const unit = units[index] ?? 0;
    if (unit < 32 && unit !== 9 && unit !== 10 && unit !== 13 && unit !== 12 && unit !== 8 && unit !== 27) controls++;
  }
  return controls;
}

const highCharacters = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

// The TextDecoder of several Node releases decodes windows-1252 as Latin-1, which differs for the bytes 0x80 to 0x9F.
function decodeWindows1252(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return text.replace(/[\u0080-\u009f]/g, (character) => highCharacters[character.charCodeAt(0) - 0x80] ?? character);
}

function encodeWindows1252(text: string): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(text.length);
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x80 || (code >= 0xa0 && code <= 0xff)) {
      bytes[index] = code;
      continue;
    }
    const high = highCharacters.indexOf(text.charAt(index));
    if (high < 0) return undefined;
    bytes[index] = 0x80 + high;
  }
  return bytes;
}
