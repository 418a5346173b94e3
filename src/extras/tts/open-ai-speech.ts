import { httpUrlKind } from '../../core/support/urls.js';
import { bearer, keyedPost } from '../../web/fetch/keyed-service.js';
import { madeFormat, soundFormats } from './sound-format.js';
import { type Speech, type SpeechServiceOptions, speechService } from './speech.js';

/** Options of {@link openAiSpeech}. Default model `gpt-4o-mini-tts`, default voice `alloy`. */
export interface OpenAiSpeechOptions extends SpeechServiceOptions {
  /** Another service with the same interface. Default `https://api.openai.com/v1`. */
  readonly baseUrl?: string | undefined;
}

/** Speaks with the speech service of OpenAI. Throws a TypeError for invalid options. */
export function openAiSpeech(options: OpenAiSpeechOptions): Speech {
  const name = 'OpenAI';
  const kinds = { ...speechService.kinds, baseUrl: httpUrlKind };
  const post = keyedPost({ ...speechService, kinds, factory: 'openAiSpeech', name, headers: bearer }, options);
  const { model = 'gpt-4o-mini-tts', voice: usual = 'alloy', baseUrl = 'https://api.openai.com/v1' } = options;
  return {
    name,
    async speak({ text, voice = usual, format, speed = 1 }, scope) {
      const response_format = madeFormat(format, soundFormats, name);
      const url = `${baseUrl.replace(/\/+$/, '')}/audio/speech`;
      return await post(url, { model, input: text, voice, response_format, speed }, scope);
    },
  };
}
