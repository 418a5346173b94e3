import { ToolError } from '../../core/error.js';
import { assertOptions, kindOf, type OptionKinds } from '../../core/support/check-values.js';
import { type ProgramFailure, pipeThrough } from '../../shell/run/pipe-through-program.js';
import { madeFormat, type Speech } from './speech.js';

/** Options of {@link localSpeech}. */
export interface LocalSpeechOptions {
  /** The program espeak-ng. Default `espeak-ng` from PATH. */
  readonly file?: string | undefined;
  /** The voice for calls that name no voice, such as `de` or `en-us+f3`. Default `en`. */
  readonly voice?: string | undefined;
}

const optionKinds: OptionKinds<LocalSpeechOptions> = { file: kindOf.text, voice: kindOf.text };
const usualWordsPerMinute = 175;
/** 4,000 characters at half speed take about 30 MB. */
const maxBytes = 100_000_000;

/**
 * Speaks with the program espeak-ng, in WAV. Rejects with `not_configured` if the program is missing. Throws a
 * TypeError for invalid options.
 */
export function localSpeech(options: LocalSpeechOptions = {}): Speech {
  assertOptions('localSpeech', options, optionKinds);
  const { file = 'espeak-ng', voice: usual = 'en' } = options;
  const name = 'espeak-ng';
  return {
    name,
    async speak({ text, voice = usual, format, speed = 1 }, { signal }) {
      madeFormat(format, ['wav'], name);
      // The program could read any other text as a file name or an option.
      if (!/^[a-z][\w+-]*$/i.test(voice)) throw unknownVoice();
      const pace = String(Math.round(usualWordsPerMinute * speed));
      const words = ['--stdin', '--stdout', '-b', '1', '-v', voice, '-s', pace];
      try {
        return withLengths(await pipeThrough(file, words, text, { signal, maxBytes }));
      } catch (thrown) {
        throw failure(thrown);
      }
    },
  };
}

function failure(thrown: unknown): ToolError {
  if (ToolError.is(thrown)) return thrown;
  const { code, stderr } = thrown as ProgramFailure;
  const said = String(stderr);
  if (code === 'ENOENT' || code === 'EACCES')
    return new ToolError('not_configured', 'Speaking needs the program espeak-ng. Ask the user to install it.');
  if (/voice does not exist/.test(said)) return unknownVoice();
  const what = said.trim().split('\n')[0]?.slice(0, 300) || `it ended with ${code}`;
  return new ToolError('execution_failed', `espeak-ng failed: ${what}. Go on without it, and tell the user.`);
}

function unknownVoice(): ToolError {
  const takes = 'voice: espeak-ng takes a language such as en-us or de.';
  return new ToolError('invalid_input', `${takes} Leave it out for the default.`);
}

/** Writes the lengths into the WAV header, where the program leaves placeholders. */
function withLengths(wav: Buffer): Buffer {
  const headerBytes = 44;
  if (wav.length < headerBytes || wav.toString('latin1', 36, 40) !== 'data') return wav;
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.writeUInt32LE(wav.length - headerBytes, 40);
  return wav;
}
