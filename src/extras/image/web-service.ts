import { ToolError } from '../../core/error.js';
import { kindOf } from '../../core/support/check-values.js';
import { httpUrlKind } from '../../core/support/urls.js';
import type { KeyedServiceOptions } from '../../web/fetch/keyed-service.js';

/** Options of an image service on the web. */
export interface ImageServiceOptions extends KeyedServiceOptions {
  /** The model that creates images, as the service names it. Default: see `openAiImages` and `geminiImages`. */
  readonly model?: string | undefined;
  /** The model that describes images. Default: see `openAiImages` and `geminiImages`. */
  readonly analyzeModel?: string | undefined;
  /** The base URL of another service with the same interface. Default: see `openAiImages` and `geminiImages`. */
  readonly baseUrl?: string | undefined;
}

/** The common part of all image services, for `keyedPost`. */
export const imageService = {
  kinds: { model: kindOf.text, analyzeModel: kindOf.text, baseUrl: httpUrlKind },
  advice: 'It may have refused the prompt, the size or the format: change the prompt, and leave size and format out.',
  limits: { timeoutMs: 240_000, maxBytes: 100_000_000 },
};

/** Decodes the base64 images of a response. Throws `execution_failed` if there is none. */
export function imagesOf(texts: readonly unknown[], name: string, why = ''): readonly Uint8Array[] {
  const images = texts.flatMap((text) => (typeof text === 'string' ? [Buffer.from(text, 'base64')] : []));
  if (images.length > 0) return images;
  throw new ToolError('execution_failed', `${name} answered with no image${why}. Change the prompt, or tell the user.`);
}

/** The text of a response. Throws `execution_failed` if there is none. */
export function textOf(text: unknown, name: string, why = ''): string {
  if (typeof text === 'string' && text.trim() !== '') return text;
  throw new ToolError('execution_failed', `${name} answered with no text${why}. Change the prompt, or tell the user.`);
}
