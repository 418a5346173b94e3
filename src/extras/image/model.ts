import type { CallScope } from '../../core/context.js';
import type { ImageSize } from '../../core/media/image-size.js';
import type { StoredImage } from '../../ports/image-resizer.js';

/** The format of an image file. */
export type ImageFormat = 'png' | 'jpeg' | 'webp';

/** A request for images. */
export interface ImageRequest {
  /** At most 32,000 characters. Credentials are already removed. */
  readonly prompt: string;
  /** In pixels. Default: the service chooses. */
  readonly size?: ImageSize | undefined;
  /** The number of images, 1 to 4. */
  readonly n: number;
  /** Default: the service chooses. */
  readonly format?: ImageFormat | undefined;
  /** Images to change or to imitate; at most 4. */
  readonly references: readonly StoredImage[];
}

/** A question about an image. */
export interface ImageQuestion {
  /** Credentials are already removed. */
  readonly prompt: string;
  /** Complete, and within the size limits of models. */
  readonly image: StoredImage;
}

/** Creates images, and may describe them. Rejects with a ToolError, for example for an unsupported size. */
export interface ImageModel {
  /** The name for messages. */
  readonly name: string;
  /** The description of the field `prompt` for the calling model. Default `What to show`. */
  readonly promptIs?: string | undefined;
  /** Resolves with complete image files, at least one. */
  create(request: ImageRequest, scope: CallScope): Promise<readonly Uint8Array[]>;
  /** Answers a question about an image. Default: the calling model gets the image itself. */
  describe?(question: ImageQuestion, scope: CallScope): Promise<string>;
}
