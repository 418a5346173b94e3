import type { CallScope } from '../core/context.js';

/** The image of a file. */
export interface StoredImage {
  /** For instance `image/png`. */
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** Size limits of an image for a model. */
export interface ImageBounds {
  /** Longer side, in pixels. */
  readonly maxPixels: number;
  /** Characters of its base64 form. */
  readonly maxBase64Chars: number;
}

/** Makes images small enough for a model. */
export interface ImageResizer {
  /** The image within the bounds, in a format that models accept; undefined if that is impossible. */
  resize(image: StoredImage, bounds: ImageBounds, scope: CallScope): Promise<StoredImage | undefined>;
}
