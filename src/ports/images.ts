import type { CallScope } from '../core/context.js';

/** An image as it stands in a file. */
export interface StoredImage {
  /** For instance `image/png`. */
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** What an image must not exceed to be sent to a model. */
export interface ImageBounds {
  /** Longer side, in pixels. */
  readonly maxPixels: number;
  /** Characters of its base64 form. */
  readonly maxBase64Chars: number;
}

/** Makes images small enough for a model. */
export interface ImageResizer {
  /** The image within the bounds, in any format that models take, or undefined when it cannot be done. */
  resize(image: StoredImage, bounds: ImageBounds, scope: CallScope): Promise<StoredImage | undefined>;
}
