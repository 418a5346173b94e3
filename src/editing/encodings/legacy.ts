import { isAscii } from 'node:buffer';
import { ifPossible } from '../../core/support/check-values.js';

/** Encodings from before Unicode, by their names in the Encoding Standard; all extend ASCII. */
export type LegacyName =
  | PairSet
  | `iso-8859-${string}`
  | `windows-${number}`
  | `koi8-${string}`
  | 'ibm866'
  | 'macintosh';
type PairSet = 'shift_jis' | 'euc-jp' | 'gb18030' | 'big5' | 'euc-kr';

// Fewer bytes beyond ASCII are not enough to detect a script.
const leastHighBytes = 6;
// With this many bytes beyond ASCII, text of another encoding is hardly ever valid in this one by chance.
const leastClearBytes = 24;
const blockBytes = 65_536;

/** The legacy encoding of bytes, by the script of the decoded text; undefined if none fits clearly. */
export function detectLegacy(sample: Uint8Array, isWhole: boolean): LegacyName | undefined {
  // The text before the first byte beyond ASCII gives no evidence.
  const first = Math.max(0, firstHighByte(sample));
  const bytes = sample.subarray(first, first + 16_384);
  if (bytes.reduce((count, byte) => count + (byte >= 0x80 ? 1 : 0), 0) < leastHighBytes) return undefined;
  const isAll = isWhole && first + bytes.length === sample.length;
  const share = (name: LegacyName, script: RegExp) =>
    shareOf(
      ifPossible(() => new TextDecoder(name, { fatal: true }).decode(bytes, { stream: !isAll })),
      script,
    );
  const japanese = (['euc-jp', 'shift_jis'] as const).find(
    (name) => share(name, /[\u3041-\u30fe]/g) > 0.15 && share(name, japaneseText) > 0.95,
  );
  if (japanese !== undefined) return japanese;
  if (share('euc-kr', /[\uac00-\ud7a3]/g) > 0.85) return 'euc-kr';
  if (share('gb18030', chineseText) > 0.95 && pairShare(bytes, 0xb0, 0xd7, 0xa1) > 0.6) return 'gb18030';
  if (share('big5', chineseText) > 0.95 && pairShare(bytes, 0xa4, 0xc6, 0x40) > 0.6) return 'big5';
  return cyrillic(bytes);
}

/**
 * Whether the bytes prove the detected encoding. The Japanese encodings were detected by kana, which is proof enough.
 * The other double-byte encodings also need many bytes beyond ASCII.
 */
export function isClear(sample: Uint8Array, name: LegacyName): boolean {
  return (
    isMultiByte(name) &&
    (name === 'shift_jis' || name === 'euc-jp' || sample.filter((byte) => byte >= 0x80).length >= leastClearBytes)
  );
}

/** The offset of the first byte beyond ASCII; -1 if there is none. */
export function firstHighByte(bytes: Uint8Array): number {
  for (let from = 0; from < bytes.length; from += blockBytes) {
    const block = bytes.subarray(from, from + blockBytes);
    if (!isAscii(block)) return from + block.findIndex((byte) => byte >= 0x80);
  }
  return -1;
}

/** True for the encodings whose characters may have several bytes. The later bytes can be in the ASCII range. */
export function isMultiByte(name: string): boolean {
  return name === 'shift_jis' || name === 'euc-jp' || name === 'gb18030' || name === 'big5' || name === 'euc-kr';
}

/**
 * The offset of the first character that starts at or after `at`. A character must start at `from`, such as at the
 * start of a line.
 */
export function characterStart(bytes: Uint8Array, from: number, at: number, name: LegacyName): number {
  let position = from;
  while (position < at) position += characterBytes(bytes, position, name);
  return position;
}

// The bytes of each code point as one number, 0 for none. Made on first use.
const tables = new Map<LegacyName, Uint32Array>();
const tableLength = 0x30_000;

/** The bytes of a text; undefined if the encoding lacks a character. Writes no four-byte characters of gb18030. */
export function encodeLegacy(text: string, name: LegacyName): Buffer | undefined {
  const table = tables.get(name) ?? encodingTable(name);
  tables.set(name, table);
  const bytes = Buffer.allocUnsafe(text.length * 3);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const point = text.codePointAt(at) ?? 0;
    if (point > 0xffff) at++;
    const code = point < 0x80 ? point : (table[point] ?? 0);
    if (code === 0 && point > 0) return undefined;
    if (code > 0xffff) bytes[length++] = code >> 16;
    if (code > 0xff) bytes[length++] = (code >> 8) & 0xff;
    bytes[length++] = code & 0xff;
  }
  return bytes.subarray(0, length);
}

const japaneseText = /[\u3000-\u30ff\u4e00-\u9fff\uff01-\uff9f\u2010-\u203b]/g;
const chineseText = /[\u3000-\u301f\u4e00-\u9fff\uff01-\uff5e\u2010-\u203b\u00b7]/g;

function shareOf(text: string | undefined, script: RegExp): number {
  if (text === undefined) return 0;
  const all = text.match(/\P{ASCII}/gu)?.length ?? 0;
  return (text.match(script)?.length ?? 0) / Math.max(1, all);
}

// The common characters of a Chinese encoding are in its first rows, and prose consists mostly of them.
function pairShare(bytes: Uint8Array, first: number, last: number, leastTrail: number): number {
  let pairs = 0;
  let common = 0;
  for (let at = 0; at + 1 < bytes.length; at++) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) continue;
    pairs++;
    if (lead >= first && lead <= last && (bytes[at + 1] ?? 0) >= leastTrail) common++;
    at++;
  }
  return common / Math.max(1, pairs);
}

// Cyrillic words are long runs of high bytes; the byte range of lower-case letters distinguishes windows-1251 from
// KOI8-R.
function cyrillic(bytes: Uint8Array): LegacyName | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const runs = text.match(/[\u00c0-\u00ff]{3,}/g)?.join('') ?? '';
  const high = text.match(/[\u0080-\u00ff]/g)?.length ?? 0;
  if (runs.length / Math.max(1, high) < 0.7) return undefined;
  const late = runs.match(/[\u00e0-\u00ff]/g)?.length ?? 0;
  return late > runs.length / 2 ? 'windows-1251' : 'koi8-r';
}

function characterBytes(bytes: Uint8Array, at: number, name: LegacyName): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80 || !isMultiByte(name)) return 1;
  if (name === 'shift_jis') return lead >= 0xa1 && lead <= 0xdf ? 1 : 2;
  if (name === 'euc-jp') return lead === 0x8f ? 3 : 2;
  const trail = bytes[at + 1] ?? 0;
  return name === 'gb18030' && trail >= 0x30 && trail <= 0x39 ? 4 : 2;
}

// Decodes all characters of the encoding at once, each on its own line, and maps the lines back to bytes.
function encodingTable(name: LegacyName): Uint32Array {
  const codes: number[][] = [];
  // Below 0xA0 the ISO encodings have control characters, which the Encoding Standard decodes as other characters.
  for (let lead = name.startsWith('iso-') ? 0xa0 : 0x80; lead <= 0xff; lead++) {
    codes.push([lead]);
    if (!isMultiByte(name)) continue;
    for (let trail = 0x40; trail <= 0xfe; trail++) codes.push([lead, trail]);
    if (name === 'euc-jp' && lead >= 0xa1)
      for (let trail = 0xa1; trail <= 0xfe; trail++) codes.push([0x8f, lead, trail]);
  }
  const lines = new TextDecoder(name).decode(Uint8Array.from(codes.flatMap((code) => [...code, 10]))).split('\n');
  const table = new Uint32Array(tableLength);
  for (const [index, line] of lines.entries()) {
    const point = line.codePointAt(0) ?? 0;
    const isOne = line.length === (point > 0xffff ? 2 : 1);
    if (isOne && line !== '\ufffd' && table[point] === 0)
      table[point] = (codes[index] ?? []).reduce((code, byte) => code * 256 + byte, 0);
  }
  return table;
}
