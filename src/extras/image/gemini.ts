import type { CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import type { ImageSize } from '../../core/media/image-size.js';
import { isRecord } from '../../core/support/check-values.js';
import { base64Of } from '../../files/media/read-image.js';
import type { StoredImage } from '../../ports/image-resizer.js';
import { jsonAnswer, keyedPost } from '../../web/fetch/keyed-service.js';
import type { ImageModel } from './model.js';
import { type ImageServiceOptions, imageService, imagesOf, textOf } from './web-service.js';

/** The aspect ratios (width:height) that the models of Gemini support. */
const ratios = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'] as const;

/**
 * Creates and describes images with Gemini. Its models take an aspect ratio instead of a size, so the nearest ratio is
 * requested; they also choose the format. Default models: `gemini-3.1-flash-image` creates and `gemini-3.5-flash`
 * describes images. Default base URL `https://generativelanguage.googleapis.com/v1beta`. Throws a TypeError for invalid
 * options.
 */
export function geminiImages(options: ImageServiceOptions): ImageModel {
  const name = 'Gemini';
  const headers = (key: string) => ({ 'x-goog-api-key': key });
  const post = keyedPost({ ...imageService, factory: 'geminiImages', name, headers }, options);
  const { model = 'gemini-3.1-flash-image', analyzeModel = 'gemini-3.5-flash' } = options;
  const { baseUrl = 'https://generativelanguage.googleapis.com/v1beta' } = options;
  const generate = async (
    by: string,
    prompt: string,
    images: readonly StoredImage[],
    more: object,
    scope: CallScope,
  ) => {
    const inline = images.map((image) => ({ inlineData: { mimeType: image.mediaType, data: base64Of(image) } }));
    const request = { contents: [{ role: 'user', parts: [{ text: prompt }, ...inline] }], ...more };
    const url = `${baseUrl.replace(/\/+$/, '')}/models/${encodeURIComponent(by)}:generateContent`;
    return partsOf(jsonAnswer(await post(url, request, scope)));
  };
  return {
    name,
    async create({ prompt, size, n, format, references }, scope) {
      if (format !== undefined)
        throw new ToolError('invalid_input', `format: ${name} chooses the format. Leave format out.`);
      const shape = size === undefined ? {} : { imageConfig: { aspectRatio: nearestRatio(size) } };
      const more = { generationConfig: { responseModalities: ['IMAGE'], ...shape } };
      const one = async () => {
        const { parts, why } = await generate(model, prompt, references, more, scope);
        const data = parts.map(({ inlineData }) => (isRecord(inlineData) ? inlineData.data : undefined));
        return imagesOf(data, name, why);
      };
      // One request makes one image. If some requests fail, the other images are still returned.
      const settled = await Promise.allSettled(Array.from({ length: n }, one));
      const made = settled.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
      const [first] = settled;
      if (made.length === 0 && first?.status === 'rejected') throw first.reason;
      return made;
    },
    async describe({ prompt, image }, scope) {
      const { parts, why } = await generate(analyzeModel, prompt, [image], {}, scope);
      const texts = parts.flatMap(({ text, thought }) => (typeof text === 'string' && thought !== true ? [text] : []));
      return textOf(texts.join(''), name, why);
    },
  };
}

/** The parts of the first candidate, and why the service stopped early; an empty text if it did not. */
function partsOf({ candidates, promptFeedback }: Readonly<Record<string, unknown>>) {
  const first: unknown = Array.isArray(candidates) ? candidates[0] : undefined;
  const { content, finishReason } = isRecord(first) ? first : {};
  const parts = isRecord(content) && Array.isArray(content.parts) ? content.parts.filter(isRecord) : [];
  const reason = isRecord(promptFeedback) ? promptFeedback.blockReason : finishReason;
  const isWord = typeof reason === 'string' && /^[A-Z_]{1,40}$/.test(reason);
  return { parts, why: isWord && reason !== 'STOP' ? ` (${reason})` : '' };
}

function nearestRatio({ width, height }: ImageSize): string {
  const wanted = Math.log(width / height);
  const off = (ratio: string) => {
    const [across = 1, down = 1] = ratio.split(':').map(Number);
    return Math.abs(Math.log(across / down) - wanted);
  };
  return [...ratios].sort((left, right) => off(left) - off(right))[0] ?? '1:1';
}
