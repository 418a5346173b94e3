const startOfScan = Buffer.from([0xff, 0xda]);
const endOfImage = Buffer.from([0xff, 0xd9]);

/**
 * True if an image file is truncated. Checks the end marker of PNG (IEND), JPEG (EOI) and GIF (trailer), and the length
 * of WebP's RIFF container.
 */
export function isCutImage(bytes: Uint8Array, mediaType: string): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (mediaType === 'image/png') return !buffer.includes('IEND', 0, 'latin1');
  // Previews in a photo have EOI markers of their own, but before the last start-of-scan marker.
  if (mediaType === 'image/jpeg') return buffer.lastIndexOf(endOfImage) <= buffer.lastIndexOf(startOfScan);
  if (mediaType === 'image/gif') return isCutGif(buffer);
  return mediaType === 'image/webp' && (buffer.length < 8 || buffer.readUInt32LE(4) + 8 > buffer.length);
}

const trailer = 0x3b;
const extension = 0x21;
const frame = 0x2c;

// GIF89a, sections 17 to 27: a logical screen with its colour table, then blocks up to the trailer. Each block is a
// chain of sub-blocks that ends with an empty sub-block.
function isCutGif(buffer: Buffer): boolean {
  for (let at = 13 + coloursAfter(buffer[10]); at < buffer.length; ) {
    const kind = buffer[at];
    if (kind === trailer) return false;
    // Bytes that are not a block are left to the decoder.
    if (kind !== extension && kind !== frame) return false;
    at = afterSubBlocks(buffer, kind === extension ? at + 2 : at + 11 + coloursAfter(buffer[at + 9]));
  }
  return true;
}

function coloursAfter(flags = 0): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

function afterSubBlocks(buffer: Buffer, start: number): number {
  let at = start;
  for (let size = buffer[at]; size !== undefined && size > 0; size = buffer[at]) at += size + 1;
  return at + 1;
}
