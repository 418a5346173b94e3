import { basename } from 'node:path';
import type { CallScope } from '../core/context.js';
import { ToolError } from '../core/error.js';
import type { Limits } from '../core/limits.js';
import type { ToolResult } from '../core/tool.js';
import type { OpenFile } from '../host/file-system.js';
import type { ImageBounds, ImageResizer, StoredImage } from '../host/images.js';
import { isCutImage } from '../text/image-end.js';
import { type ImageSize, imageSize } from '../text/image-size.js';
import { formatSize } from '../text/size.js';
import { readWhole } from './open-file.js';

/** How large an image may be: as it is read, and as a model gets it. */
export type ImageLimits = Pick<Limits['read'], 'maxImageBytes' | 'maxImagePixels' | 'maxImageBase64Chars'>;

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
  limits: ImageLimits,
  scope: CallScope,
): Promise<ToolResult> {
  const { path, size } = file.stat;
  const bounds: ImageBounds = { maxPixels: limits.maxImagePixels, maxBase64Chars: limits.maxImageBase64Chars };
  if (size > limits.maxImageBytes) throw tooLarge(path, formatSize(size), bounds);
  const image: StoredImage = { mediaType, bytes: await readWhole(file) };
  const original = imageSize(image.bytes, mediaType);
  const isSent = fits(image, original, bounds);
  // A provider refuses every later request of a conversation that holds such an image.
  if (isSent && (original === undefined || isCutImage(image.bytes, mediaType))) throw damaged(path, mediaType, formatSize(size));
  const sent = isSent ? image : await resized(image, original, path, resizer, bounds, scope);
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
  bounds: ImageBounds,
  scope: CallScope,
): Promise<StoredImage> {
  const result = await resizer?.resize(image, bounds, scope);
  if (result !== undefined && fits(result, imageSize(result.bytes, result.mediaType), bounds)) return result;
  throw tooLarge(path, `${inWords(size)}, ${formatSize(image.bytes.length)}`, bounds);
}

// Four characters stand for three bytes.
function fits({ bytes }: StoredImage, size: ImageSize | undefined, { maxBase64Chars, maxPixels }: ImageBounds): boolean {
  if (Math.ceil(bytes.length / 3) * 4 > maxBase64Chars) return false;
  return size === undefined || Math.max(size.width, size.height) <= maxPixels;
}

function damaged(path: string, mediaType: string, measure: string): ToolError {
  return new ToolError(
    'unsupported_file',
    `The image is cut off or damaged, so that no model can look at it (${mediaType}, ${measure}): ${path}. Get a whole copy of it first.`,
    { metadata: { mediaType } },
  );
}

function tooLarge(path: string, measure: string, { maxPixels, maxBase64Chars }: ImageBounds): ToolError {
  return new ToolError(
    'file_too_large',
    `The image is too large for a model (${measure}; at most ${maxPixels} pixels a side and ${formatSize(maxBase64Chars)} in base64): ${path}. Images are made smaller where the package sharp is installed (npm install sharp) and can read them; else make a smaller copy first, for instance through Bash.`,
  );
}

function inWords(size: ImageSize | undefined): string {
  return size === undefined ? 'size unknown' : `${size.width} x ${size.height} pixels`;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
