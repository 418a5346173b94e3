import { isAscii, isUtf8 } from 'node:buffer';

/** ASCII, other valid UTF-8, or text with U+FFFD in place of invalid bytes. */
export type TextKind = 'ascii' | 'unicode' | 'broken';

export interface DecodedText {
  readonly text: string;
  readonly kind: TextKind;
}

export function decodeUtf8(bytes: Buffer): DecodedText {
  if (isAscii(bytes)) return { text: bytes.toString('latin1'), kind: 'ascii' };
  return { text: bytes.toString('utf8'), kind: isUtf8(bytes) ? 'unicode' : 'broken' };
}

/** Decodes UTF-16 with a byte order mark; undefined for other bytes. */
export function decodeUtf16(bytes: Buffer): string | undefined {
  const mark = bytes.toString('hex', 0, 2);
  if (mark !== 'fffe' && mark !== 'feff') return undefined;
  return new TextDecoder(mark === 'fffe' ? 'utf-16le' : 'utf-16be').decode(bytes);
}
