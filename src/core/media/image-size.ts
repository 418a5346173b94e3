/** Width and height in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** The size in the header of a PNG, JPEG, GIF, WebP or BMP image; undefined if the bytes do not contain the size. */
export function imageSize(bytes: Uint8Array, mediaType: string): ImageSize | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (mediaType === 'image/png') return { width: buffer.readUInt32BE(16), height: buffer.readUInt32BE(20) };
    if (mediaType === 'image/gif') return { width: buffer.readUInt16LE(6), height: buffer.readUInt16LE(8) };
    if (mediaType === 'image/bmp')
      return { width: Math.abs(buffer.readInt32LE(18)), height: Math.abs(buffer.readInt32LE(22)) };
    if (mediaType === 'image/webp') return webpSize(buffer);
    if (mediaType === 'image/jpeg') return jpegSize(buffer);
  } catch (thrown) {
    // The file ends within its header.
    if (!(thrown instanceof RangeError)) throw thrown;
  }
  return undefined;
}

// RFC 9649: simple lossy, lossless and extended containers.
function webpSize(buffer: Buffer): ImageSize | undefined {
  const form = buffer.toString('latin1', 12, 16);
  if (form === 'VP8 ') return { width: buffer.readUInt16LE(26) & 0x3fff, height: buffer.readUInt16LE(28) & 0x3fff };
  if (form === 'VP8X') return { width: buffer.readUIntLE(24, 3) + 1, height: buffer.readUIntLE(27, 3) + 1 };
  if (form !== 'VP8L') return undefined;
  const bits = buffer.readUInt32LE(21);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

// ITU-T T.81, annex B: the frame header is a segment SOF0 to SOF15. DHT, JPG and DAC have markers in the same range.
function jpegSize(buffer: Buffer): ImageSize | undefined {
  for (let at = 2; ; ) {
    if (buffer.readUInt8(at) !== 0xff) return undefined;
    const marker = buffer.readUInt8(at + 1);
    if (marker === 0xff) {
      at++;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { width: buffer.readUInt16BE(at + 7), height: buffer.readUInt16BE(at + 5) };
    at += marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8) ? 2 : 2 + buffer.readUInt16BE(at + 2);
  }
}

/**
 * True if an image file is truncated. Checks the end marker of PNG (IEND), JPEG (EOI) and GIF (trailer), and the length
 * of WebP's RIFF container.
 */
export function isCutImage(bytes: Uint8Array, mediaType: string): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (mediaType === 'image/png') return !buffer.includes('IEND', 0, 'latin1');
  if (mediaType === 'image/jpeg') return isCutJpeg(buffer);
  if (mediaType === 'image/gif') return isCutGif(buffer);
  return mediaType === 'image/webp' && (buffer.length < 8 || buffer.readUInt32LE(4) + 8 > buffer.length);
}

// ITU-T T.81, annex B. Previews are inside segments and a video may follow the image, so only the EOI marker of the
// image itself counts. In the data of a scan a zero byte or a restart marker follows 0xff.
function isCutJpeg(buffer: Buffer): boolean {
  for (let at = buffer.indexOf(0xff, 2); at >= 0 && at + 1 < buffer.length; at = buffer.indexOf(0xff, at)) {
    const marker = buffer.readUInt8(at + 1);
    if (marker === 0xd9) return false;
    if (marker === 0xff) at++;
    else if (marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2;
    else if (at + 3 < buffer.length) at += 2 + buffer.readUInt16BE(at + 2);
    else return true;
  }
  return true;
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
