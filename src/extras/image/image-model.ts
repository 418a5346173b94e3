import type { CallScope } from '../../core/context.js';
import type { ImageSize } from '../../files/media/image-size.js';
import type { StoredImage } from '../../ports/images.js';

/** How an image is stored. */
export type ImageFormat = 'png' | 'jpeg' | 'webp';

/** What to make. */
export interface ImageRequest {
  /** Scrubbed; at most 32,000 characters. */
  readonly prompt: string;
  /** In pixels. Default: what the service makes best. */
  readonly size?: ImageSize | undefined;
  /** How many, 1 to 4. */
  readonly n: number;
  /** Default: what the service makes best. */
  readonly format?: ImageFormat | undefined;
  /** What the new images are to be made from, or like; at most 4. */
  readonly references: readonly StoredImage[];
}

/** A question about an image. */
export interface ImageQuestion {
  /** Scrubbed. */
  readonly prompt: string;
  /** Whole, and within what models take. */
  readonly image: StoredImage;
}

/** Makes images, and may look at them. What it cannot do, such as a size that it does not make, is a ToolError. */
export interface ImageModel {
  /** What people call it, for messages. */
  readonly name: string;
  /** What a prompt has to be, in words for the model that writes it. Default: what the image shows. */
  readonly promptIs?: string | undefined;
  /** Whole image files, at least one. */
  create(request: ImageRequest, scope: CallScope): Promise<readonly Uint8Array[]>;
  /** The answer to a question about an image. Default: the model that asks gets the image and looks by itself. */
  describe?(question: ImageQuestion, scope: CallScope): Promise<string>;
}
