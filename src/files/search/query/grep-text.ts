import { isAscii, isUtf8 } from 'node:buffer';
import type { TextKind } from './grep-translate.js';

/** Decoded text, and what can be said about it. */
export interface DecodedText {
  readonly text: string;
  readonly kind: TextKind;
}

/**
 * Decodes UTF-8. Bytes that are no UTF-8 become the lone surrogates U+DC80 to U+DCFF, which no valid text holds, so
 * that nothing is lost.
 */
export function decodeText(bytes: Buffer): DecodedText {
  if (isAscii(bytes)) return { text: bytes.toString('latin1'), kind: 'ascii' };
  if (isUtf8(bytes)) return { text: bytes.toString('utf8'), kind: 'unicode' };
  return { text: decodeBroken(bytes), kind: 'broken' };
}

/** Text as it is shown: what came from bytes that are no UTF-8 becomes U+FFFD, as a UTF-8 decoder writes it. */
export function shownText(text: string, kind: TextKind): string {
  if (kind !== 'broken' || !/[\udc80-\udcff]/.test(text)) return text;
  return originalBytes(text).toString('utf8');
}

/** How many bytes a line has in its file. */
export function byteLength(text: string, kind: TextKind): number {
  if (kind === 'ascii') return text.length;
  return kind === 'unicode' ? Buffer.byteLength(text) : originalBytes(text).length;
}

function originalBytes(text: string): Buffer {
  const parts: Buffer[] = [];
  for (const piece of text.split(/((?<![\ud800-\udbff])[\udc80-\udcff])/)) {
    const unit = piece.length === 1 ? piece.charCodeAt(0) : 0;
    parts.push(unit >= 0xdc80 && unit <= 0xdcff ? Buffer.of(unit - 0xdc00) : Buffer.from(piece));
  }
  return Buffer.concat(parts);
}

function decodeBroken(bytes: Buffer): string {
  const parts: string[] = [];
  let start = 0;
  for (let index = 0; index < bytes.length; ) {
    const length = sequenceLength(bytes, index);
    if (length > 0) {
      index += length;
      continue;
    }
    parts.push(bytes.toString('utf8', start, index), String.fromCharCode(0xdc00 + (bytes[index] ?? 0)));
    index++;
    start = index;
  }
  parts.push(bytes.toString('utf8', start));
  return parts.join('');
}

/** Bytes of the UTF-8 sequence at `index`; 0 where there is none. */
function sequenceLength(bytes: Buffer, index: number): number {
  const first = bytes[index] ?? 0;
  if (first < 0x80) return 1;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  return length > 0 && index + length <= bytes.length && isUtf8(bytes.subarray(index, index + length)) ? length : 0;
}
