import { basename } from 'node:path';
import type { CallScope } from '../core/context.js';
import { ToolError } from '../core/error.js';
import type { ToolResult } from '../core/tool.js';
import type { OpenFile } from '../host/file-system.js';
import type { ImageBounds, ImageResizer, StoredImage } from '../host/images.js';
import { type ImageSize, imageSize } from '../text/image-size.js';
import { formatSize } from '../text/size.js';
import { readWhole } from './open-file.js';

/** What the large providers take: 5 MB of base64, 8,000 pixels a side. */
const bounds: ImageBounds = { maxPixels: 8_000, maxBase64Chars: 5_242_880 };
const maxBytes = 100_000_000;
const sendable = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** True for the images that models take as they are. */
export function isSendableImage(mediaType: string | undefined): boolean {
  return mediaType !== undefined && sendable.has(mediaType);
}

/** An image as an attachment, with its size in words. One that is too large for a model is resized where there is a resizer, and refused otherwise. */
export async function readImage(
  file: OpenFile,
  mediaType: string,
  resizer: ImageResizer | undefined,
  scope: CallScope,
): Promise<ToolResult> {
  const { path, size } = file.stat;
  if (size > maxBytes) throw tooLarge(path, formatSize(size));
  const image: StoredImage = { mediaType, bytes: await readWhole(file) };
  const original = imageSize(image.bytes, mediaType);
  const sent = fits(image, original) ? image : await resized(image, original, path, resizer, scope);
  const shown = sent === image ? original : imageSize(sent.bytes, sent.mediaType);
  const was = sent === image ? '' : `, resized from ${inWords(original)}`;
  return {
    output: `Image ${path} (${sent.mediaType}, ${inWords(shown)}, ${formatSize(size)}${was}).`,
    metadata: {
      filePath: path,
      size,
      mediaType: sent.mediaType,
      ...(shown === undefined ? {} : { width: shown.width, height: shown.height }),
    },
    attachments: [{ mediaType: sent.mediaType, data: base64(sent.bytes), name: basename(path) }],
  };
}

async function resized(
  image: StoredImage,
  size: ImageSize | undefined,
  path: string,
  resizer: ImageResizer | undefined,
  scope: CallScope,
): Promise<StoredImage> {
  const result = await resizer?.resize(image, bounds, scope);
  if (result !== undefined && fits(result, imageSize(result.bytes, result.mediaType))) return result;
  throw tooLarge(path, `${inWords(size)}, ${formatSize(image.bytes.length)}`);
}

// Four characters stand for three bytes.
function fits({ bytes }: StoredImage, size: ImageSize | undefined): boolean {
  if (Math.ceil(bytes.length / 3) * 4 > bounds.maxBase64Chars) return false;
  return size === undefined || Math.max(size.width, size.height) <= bounds.maxPixels;
}

function tooLarge(path: string, measure: string): ToolError {
  return new ToolError(
    'file_too_large',
    `The image is too large for a model (${measure}; at most ${bounds.maxPixels} pixels a side and ${formatSize(bounds.maxBase64Chars)} in base64): ${path}. Make a smaller copy first, for instance through Bash.`,
  );
}

function inWords(size: ImageSize | undefined): string {
  return size === undefined ? 'size unknown' : `${size.width} x ${size.height} pixels`;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
