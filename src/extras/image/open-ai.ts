import { isRecord } from '../../core/support/check-values.js';
import { base64Of } from '../../files/media/read-image.js';
import type { StoredImage } from '../../ports/image-resizer.js';
import { bearer, jsonAnswer, keyedPost } from '../../web/fetch/keyed-service.js';
import type { ImageModel } from './model.js';
import { type ImageServiceOptions, imageService, imagesOf, textOf } from './web-service.js';

/**
 * Creates images with OpenAI (default model `gpt-image-2`) and describes them with its chat service (default model
 * `gpt-5.4-mini`). Default base URL `https://api.openai.com/v1`. Throws a TypeError for invalid options.
 */
export function openAiImages(options: ImageServiceOptions): ImageModel {
  const name = 'OpenAI';
  const post = keyedPost({ ...imageService, factory: 'openAiImages', name, headers: bearer }, options);
  const { model = 'gpt-image-2', analyzeModel = 'gpt-5.4-mini', baseUrl = 'https://api.openai.com/v1' } = options;
  const base = baseUrl.replace(/\/+$/, '');
  return {
    name,
    async create({ prompt, size, n, format, references }, scope) {
      const wanted = {
        model,
        prompt,
        n,
        ...(size === undefined ? {} : { size: `${size.width}x${size.height}` }),
        ...(format === undefined ? {} : { output_format: format }),
      };
      const images = references.map((image) => ({ image_url: addressOf(image) }));
      const [action, more] = images.length === 0 ? ['generations', {}] : ['edits', { images }];
      const answer = await post(`${base}/images/${action}`, { ...wanted, ...more }, scope);
      const made = listOf(jsonAnswer(answer).data);
      return imagesOf(
        made.map(({ b64_json }) => b64_json),
        name,
      );
    },
    async describe({ prompt, image }, scope) {
      const content = [
        { type: 'text', text: prompt },
        { type: 'image_url', image_url: { url: addressOf(image) } },
      ];
      const request = { model: analyzeModel, messages: [{ role: 'user', content }] };
      const [choice] = listOf(jsonAnswer(await post(`${base}/chat/completions`, request, scope)).choices);
      return textOf(isRecord(choice?.message) ? choice.message.content : undefined, name);
    },
  };
}

function addressOf(image: StoredImage): string {
  return `data:${image.mediaType};base64,${base64Of(image)}`;
}

function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
