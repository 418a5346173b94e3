import { ToolError } from '../../core/error.js';
import { isRecord, kindOf } from '../../core/support/check-values.js';
import { httpUrlKind } from '../../core/support/urls.js';
import { bearer, jsonAnswer, type KeyedServiceOptions, keyedPost } from '../../web/fetch/keyed-service.js';
import { madeFormat, type Speech, soundFormats } from './speech.js';

/** Options of a speech service on the web. */
export interface SpeechServiceOptions extends KeyedServiceOptions {
  /** The model, as the service names it. Default: see the function of the service. */
  readonly model?: string | undefined;
  /** The voice for calls that name no voice. Default: see the function of the service. */
  readonly voice?: string | undefined;
}

/** The common part of all speech services, for `keyedPost`. */
const speechService = {
  kinds: { model: kindOf.text, voice: kindOf.text },
  advice: 'The voice may be unknown: leave voice and format out.',
  limits: { timeoutMs: 120_000, maxBytes: 50_000_000 },
};

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

const elevenLabsOutputs = { mp3: 'mp3_44100_128', opus: 'opus_48000_128' } as const;

/**
 * Speaks with ElevenLabs, whose voices are ids. Default model `eleven_multilingual_v2`, default voice
 * `JBFqnCBsd6RMkjVDRZzb`. Throws a TypeError for invalid options.
 */
export function elevenLabsSpeech(options: SpeechServiceOptions): Speech {
  const name = 'ElevenLabs';
  const headers = (key: string) => ({ 'xi-api-key': key });
  const post = keyedPost({ ...speechService, factory: 'elevenLabsSpeech', name, headers }, options);
  const { model = 'eleven_multilingual_v2', voice: usual = 'JBFqnCBsd6RMkjVDRZzb' } = options;
  return {
    name,
    async speak({ text, voice = usual, format, speed = 1 }, scope) {
      const output = elevenLabsOutputs[madeFormat(format, ['mp3', 'opus'], name)];
      // The voice becomes part of the URL.
      if (!/^\w+$/.test(voice))
        throw new ToolError('invalid_input', `voice: ${name} takes the id of a voice, letters and digits.`);
      if (speed < 0.7 || speed > 1.2)
        throw new ToolError('invalid_input', `speed: ${name} takes 0.7 to 1.2. Give a speed in this range.`);
      const url = `https://api.elevenlabs.io/v1/text-to-speech/${voice}?output_format=${output}`;
      return await post(url, { text, model_id: model, voice_settings: { speed } }, scope);
    },
  };
}

/** Error codes of MiniMax, which it sends with HTTP status 200. */
const miniMaxFailures: Readonly<Record<number, readonly [code: string, what: string]>> = {
  1002: ['rate_limited', 'It is asked too often. Try again later.'],
  1004: ['http_error', 'It refuses the key of the program. Tell the user.'],
  1008: ['http_error', 'Its account has no balance left. Tell the user.'],
  1039: ['rate_limited', 'It is asked for too much at once. Try again later.'],
  2013: ['invalid_input', 'The voice may be unknown: leave voice and format out.'],
};

/**
 * Speaks with MiniMax. Default model `speech-02-hd`, default voice `English_expressive_narrator`. Throws a TypeError
 * for invalid options.
 */
export function miniMaxSpeech(options: SpeechServiceOptions): Speech {
  const name = 'MiniMax';
  const post = keyedPost({ ...speechService, factory: 'miniMaxSpeech', name, headers: bearer }, options);
  const { model = 'speech-02-hd', voice: usual = 'English_expressive_narrator' } = options;
  return {
    name,
    async speak({ text, voice = usual, format, speed = 1 }, scope) {
      const audio = { format: madeFormat(format, ['mp3', 'wav', 'flac'], name), sample_rate: 32_000, channel: 1 };
      const voices = { voice_id: voice, speed };
      const request = { model, text, stream: false, voice_setting: voices, audio_setting: audio };
      return miniMaxSound(await post('https://api.minimax.io/v1/t2a_v2', request, scope), name);
    },
  };
}

/** Reads the sound of MiniMax, which is a hexadecimal string in JSON. */
function miniMaxSound(body: Uint8Array, name: string): Uint8Array {
  const { data, base_resp: state } = jsonAnswer(body);
  const status = isRecord(state) ? state.status_code : undefined;
  if (typeof status === 'number' && status !== 0) {
    const [code, what] = miniMaxFailures[status] ?? ['http_error', 'Go on without it, and tell the user.'];
    throw new ToolError(code, `${name} failed with its status ${status}. ${what}`);
  }
  const digits = isRecord(data) ? data.audio : undefined;
  if (typeof digits === 'string' && digits.length % 2 === 0 && /^[\da-f]+$/i.test(digits))
    return Buffer.from(digits, 'hex');
  throw new ToolError('execution_failed', `${name} answered with no sound. Go on without it, and tell the user.`);
}
