import { basename } from 'node:path';
import type { CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import type { Limits } from '../../core/limits.js';
import { type ImageSize, imageSize, isCutImage } from '../../core/media/image-size.js';
import { sniffMediaType } from '../../core/media/sniff.js';
import { formatSize } from '../../core/text/lines-and-sizes.js';
import type { Attachment, ToolResult } from '../../core/tool-result.js';
import type { OpenFile } from '../../ports/file-system.js';
import type { ImageBounds, ImageResizer, StoredImage } from '../../ports/image-resizer.js';
import { readWhole } from '../disk/open-file.js';

/** The size limits of an image, in the file and in a request to a model. */
export type ImageLimits = Pick<Limits['read'], 'maxImageBytes' | 'maxImagePixels' | 'maxImageBase64Chars'>;

const sendable = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** True for the image types that models accept. */
export function isSendableImage(mediaType: string | undefined): mediaType is string {
  return mediaType !== undefined && sendable.has(mediaType);
}

/** Whether an image can be sent to a model. An image without pixels counts as damaged. */
export type ImageFit =
  | {
      readonly kind: 'sent';
      readonly image: StoredImage;
      readonly size: ImageSize | undefined;
      readonly isResized: boolean;
    }
  | { readonly kind: 'damaged' }
  | { readonly kind: 'too_large' };

/** Checks that an image is complete, and resizes it if it is too large for a model. */
export async function fitImage(
  image: StoredImage,
  resizer: ImageResizer | undefined,
  limits: ImageLimits,
  scope: CallScope,
): Promise<ImageFit> {
  const bounds = boundsOf(limits);
  const size = imageSize(image.bytes, image.mediaType);
  if (fits(image, size, bounds)) {
    // If a conversation contains such an image, a provider refuses every later request.
    if (size === undefined || size.width === 0 || size.height === 0 || isCutImage(image.bytes, image.mediaType))
      return { kind: 'damaged' };
    return { kind: 'sent', image, size, isResized: false };
  }
  const smaller = image.bytes.length > limits.maxImageBytes ? undefined : await resizer?.resize(image, bounds, scope);
  if (smaller === undefined) return { kind: 'too_large' };
  const smallerSize = imageSize(smaller.bytes, smaller.mediaType);
  return fits(smaller, smallerSize, bounds)
    ? { kind: 'sent', image: smaller, size: smallerSize, isResized: true }
    : { kind: 'too_large' };
}

/** An image as an attachment, resized if it is too large for a model, or refused if there is no resizer. */
export async function readImage(
  file: OpenFile,
  mediaType: string,
  resizer: ImageResizer | undefined,
  limits: ImageLimits,
  scope: CallScope,
): Promise<ToolResult> {
  const { path, size } = file.stat;
  if (size > limits.maxImageBytes) throw tooLarge(path, formatSize(size), boundsOf(limits));
  const bytes = await readWhole(file);
  const original = imageSize(bytes, mediaType);
  const fit = await fitImage({ mediaType, bytes }, resizer, limits, scope);
  if (fit.kind === 'damaged') throw damaged(path, mediaType, formatSize(size));
  if (fit.kind === 'too_large')
    throw tooLarge(path, `${inWords(original)}, ${formatSize(bytes.length)}`, boundsOf(limits));
  const was = fit.isResized ? `, resized from ${inWords(original)}` : '';
  return {
    output: `Image ${path} (${fit.image.mediaType}, ${inWords(fit.size)}, ${formatSize(size)}${was}).`,
    metadata: {
      filePath: path,
      size,
      mediaType: fit.image.mediaType,
      ...(fit.size === undefined ? {} : { width: fit.size.width, height: fit.size.height }),
    },
    attachments: [imageAttachment(fit.image, basename(path))],
  };
}

/** Attaches the images that a model can see, judged by their bytes; a notice lists the others. */
export async function attachImages(
  images: Iterable<{ readonly bytes: Uint8Array; readonly name: string }>,
  resizer: ImageResizer | undefined,
  limits: ImageLimits,
  scope: CallScope,
) {
  const attachments: Attachment[] = [];
  const omitted: string[] = [];
  for (const { bytes, name } of images) {
    scope.signal.throwIfAborted();
    const mediaType = sniffMediaType(bytes)?.type;
    const fit = isSendableImage(mediaType)
      ? await fitImage({ mediaType, bytes }, resizer, limits, scope).catch(() => ({ kind: 'too_large' }) as const)
      : ({ kind: 'damaged' } as const);
    if (fit.kind === 'sent') attachments.push(imageAttachment(fit.image, name));
    else omitted.push(`${name} (${fit.kind === 'damaged' ? 'cut off or damaged' : 'too large for a model'})`);
  }
  return { attachments, notices: omitted.length === 0 ? [] : [`[Not attached: ${omitted.join(', ')}]`] };
}

/** Converts an image to an attachment of a result. */
export function imageAttachment(image: StoredImage, name: string): Attachment {
  return { mediaType: image.mediaType, data: base64Of(image), name };
}

/** An image in base64. */
export function base64Of({ bytes }: StoredImage): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

function boundsOf({ maxImagePixels, maxImageBase64Chars }: ImageLimits): ImageBounds {
  return { maxPixels: maxImagePixels, maxBase64Chars: maxImageBase64Chars };
}

// In base64 four characters stand for three bytes.
function fits(
  { bytes }: StoredImage,
  size: ImageSize | undefined,
  { maxBase64Chars, maxPixels }: ImageBounds,
): boolean {
  if (Math.ceil(bytes.length / 3) * 4 > maxBase64Chars) return false;
  return size === undefined || Math.max(size.width, size.height) <= maxPixels;
}

function damaged(path: string, mediaType: string, measure: string): ToolError {
  return new ToolError(
    'unsupported_file',
    `The image is cut off or damaged, so a model cannot see it (${mediaType}, ${measure}): ${path}. Get ` +
      'a complete copy of it first.',
    { metadata: { mediaType } },
  );
}

function tooLarge(path: string, measure: string, { maxPixels, maxBase64Chars }: ImageBounds): ToolError {
  return new ToolError(
    'file_too_large',
    `The image is too large for a model (${measure}; at most ${maxPixels} pixels a side and ` +
      `${formatSize(maxBase64Chars)} in base64): ${path}. Make a smaller copy first, for instance with Bash. With ` +
      'the package sharp (npm install sharp) large images are resized automatically.',
  );
}

function inWords(size: ImageSize | undefined): string {
  return size === undefined ? 'size unknown' : `${size.width} x ${size.height} pixels`;
}
