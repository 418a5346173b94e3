import { ToolError } from '../../core/error.js';
import { isRecord } from '../../core/support/check-values.js';
import { bearer, jsonAnswer, keyedPost } from '../../web/fetch/keyed-service.js';
import { madeFormat } from './sound-format.js';
import { type Speech, type SpeechServiceOptions, speechService } from './speech.js';

/** Error codes of the service, which it sends with HTTP status 200. */
const failures: Readonly<Record<number, readonly [code: string, what: string]>> = {
  1002: ['rate_limited', 'It is asked too often. Try again later.'],
  1004: ['http_error', 'It refuses the key of the program. Tell the user.'],
  1008: ['http_error', 'Its account has no balance left. Tell the user.'],
  1039: ['rate_limited', 'It is asked for too much at once. Try again later.'],
  2013: ['invalid_input', 'It may not know the voice: leave voice and format out.'],
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
      return soundOf(await post('https://api.minimax.io/v1/t2a_v2', request, scope), name);
    },
  };
}

/** Reads the sound, which is a hexadecimal string in JSON. */
function soundOf(body: Uint8Array, name: string): Uint8Array {
  const { data, base_resp: state } = jsonAnswer(body);
  const status = isRecord(state) ? state.status_code : undefined;
  if (typeof status === 'number' && status !== 0) {
    const [code, what] = failures[status] ?? ['http_error', 'Go on without it, and tell the user.'];
    throw new ToolError(code, `${name} failed with its status ${status}. ${what}`);
  }
  const digits = isRecord(data) ? data.audio : undefined;
  if (typeof digits === 'string' && digits.length % 2 === 0 && /^[\da-f]+$/i.test(digits))
    return Buffer.from(digits, 'hex');
  throw new ToolError('execution_failed', `${name} answered with no sound. Go on without it, and tell the user.`);
}
