import { ToolError } from '../../core/error.js';
import { isCutImage } from '../../core/media/image-end.js';
import { type ImageSize, imageSize } from '../../core/media/image-size.js';
import { sniffMediaType } from '../../core/media/media-type.js';
import type { ImageFormat } from './image-model.js';

/** The file extension of each image format. */
export const imageEndings = { png: 'png', jpeg: 'jpg', webp: 'webp' } as const satisfies Record<ImageFormat, string>;

/** All image formats. */
export const imageFormats = Object.keys(imageEndings) as readonly ImageFormat[];

/** A created image. */
export interface MadeImage {
  readonly bytes: Uint8Array;
  readonly format: ImageFormat;
  readonly size: ImageSize;
}

/** Detects format and size of an image. Throws `execution_failed` if it is incomplete or not in the format `wanted`. */
export function madeImage(bytes: Uint8Array, wanted: ImageFormat | undefined, model: string): MadeImage {
  const mediaType = bytes instanceof Uint8Array ? (sniffMediaType(bytes)?.type ?? '') : '';
  const format = imageFormats.find((one) => mediaType === `image/${one}`);
  const size = format === undefined ? undefined : imageSize(bytes, mediaType);
  const isWhole = format !== undefined && size !== undefined && !isCutImage(bytes, mediaType);
  if (isWhole && (wanted === undefined || format === wanted)) return { bytes, format, size };
  const what = isWhole ? `${format} in place of ${wanted}` : 'no whole image';
  throw new ToolError('execution_failed', `${model} answered with ${what}. Go on without it, and tell the user.`);
}
