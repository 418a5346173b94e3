import type { CallScope } from '../core/context.js';

/** The image of a file. */
export interface StoredImage {
  /** For instance `image/png`. */
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** Size limits of an image for a model. */
export interface ImageBounds {
  /** The longer side, in pixels. */
  readonly maxPixels: number;
  /** Characters of the image in base64. */
  readonly maxBase64Chars: number;
}

/** Makes images small enough for a model. */
export interface ImageResizer {
  /** Resizes an image to fit the bounds, in a format that models accept; undefined if that is impossible. */
  resize(image: StoredImage, bounds: ImageBounds, scope: CallScope): Promise<StoredImage | undefined>;
}
