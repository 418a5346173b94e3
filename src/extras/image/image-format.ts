import { ToolError } from '../../core/error.js';
import { isCutImage } from '../../files/media/image-end.js';
import { type ImageSize, imageSize } from '../../files/media/image-size.js';
import { sniffMediaType } from '../../files/media/media-type.js';
import type { ImageFormat } from './image-model.js';

/** The formats of images that are made, each with what its files end with. */
export const imageEndings = { png: 'png', jpeg: 'jpg', webp: 'webp' } as const satisfies Record<ImageFormat, string>;

/** The same in a list. */
export const imageFormats = Object.keys(imageEndings) as readonly ImageFormat[];

/** An image that was made. */
export interface MadeImage {
  readonly bytes: Uint8Array;
  readonly format: ImageFormat;
  readonly size: ImageSize;
}

/** What an image is by its bytes. Throws `execution_failed` for what is none, cut off, or not of the format `wanted`. */
export function madeImage(bytes: Uint8Array, wanted: ImageFormat | undefined, model: string): MadeImage {
  const mediaType = bytes instanceof Uint8Array ? (sniffMediaType(bytes)?.type ?? '') : '';
  const format = imageFormats.find((one) => mediaType === `image/${one}`);
  const size = format === undefined ? undefined : imageSize(bytes, mediaType);
  const isWhole = format !== undefined && size !== undefined && !isCutImage(bytes, mediaType);
  if (isWhole && (wanted === undefined || format === wanted)) return { bytes, format, size };
  const what = isWhole ? `${format} in place of ${wanted}` : 'no whole image';
  throw new ToolError('execution_failed', `${model} answered with ${what}. Go on without it, and tell the user.`);
}
