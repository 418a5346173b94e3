import { ToolError } from '../../core/error.js';
import { keyedPost } from '../../web/fetch/keyed-service.js';
import { madeFormat } from './sound-format.js';
import { type Speech, type SpeechServiceOptions, speechService } from './speech.js';

const outputs = { mp3: 'mp3_44100_128', opus: 'opus_48000_128' } as const;

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
      const output = outputs[madeFormat(format, ['mp3', 'opus'], name)];
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
