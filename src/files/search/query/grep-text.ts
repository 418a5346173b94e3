import { isAscii, isUtf8 } from 'node:buffer';

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
