import { ToolError } from '../../core/error.js';
import { assertNeeded, isRecord, kindOf } from '../../core/support/check-values.js';
import { httpUrlKind } from '../../core/support/urls.js';
import { bearer, jsonAnswer, type KeyedServiceOptions, keyedPost } from '../../web/fetch/keyed-service.js';
import type { Embedder } from './search.js';

/** Options of {@link openAiEmbedder}. */
export interface OpenAiEmbedderOptions extends KeyedServiceOptions {
  /** Such as `https://api.openai.com/v1`, or another service with the same interface; `/embeddings` is added. */
  readonly url: string;
  /** Such as `text-embedding-3-small`. */
  readonly model: string;
  /** Length of the vectors. Default 1,536; sent to the service if given. */
  readonly dimensions?: number | undefined;
}

const usualDimensions = 1_536;

const service = {
  factory: 'openAiEmbedder',
  name: 'The embedder',
  headers: bearer,
  kinds: {
    url: httpUrlKind,
    model: kindOf.text,
    dimensions: {
      takes: 'a whole number from 1',
      isShown: true,
      holds: (value: unknown) => Number.isInteger(value) && Number(value) > 0,
    },
  },
  advice: 'Search with fewer words.',
  limits: { timeoutMs: 30_000, maxBytes: 16_777_216 },
};

/**
 * Embeds texts by `POST /embeddings` of OpenAI. Throws a TypeError for invalid options. Errors never contain the key.
 */
export function openAiEmbedder(options: OpenAiEmbedderOptions): Embedder {
  const post = keyedPost(service, options);
  assertNeeded('openAiEmbedder', options, 'url', 'model');
  const { url, model, dimensions } = options;
  const address = `${url.replace(/\/+$/, '').replace(/\/embeddings$/, '')}/embeddings`;
  return {
    model,
    dimensions: dimensions ?? usualDimensions,
    async embed(texts, scope) {
      const request = { model, input: texts, ...(dimensions && { dimensions }) };
      const { data } = jsonAnswer(await post(address, request, scope));
      const vectors = texts.map((_, index) => vectorAt(data, index));
      if (vectors.every((vector) => vector !== undefined)) return vectors;
      throw new ToolError('http_error', `The embedder did not return a vector for each of ${texts.length} texts.`);
    },
  };
}

/** The vector with an index; the list may have any order. */
function vectorAt(data: unknown, index: number): readonly number[] | undefined {
  const entries = Array.isArray(data) ? data.filter(isRecord) : [];
  const embedding = entries.find((entry) => entry.index === index)?.embedding;
  return Array.isArray(embedding) && embedding.every((part) => typeof part === 'number') ? embedding : undefined;
}
