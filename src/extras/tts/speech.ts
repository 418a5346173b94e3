import type { CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';

/** The format of a sound file. */
export type SoundFormat = 'mp3' | 'wav' | 'opus' | 'flac';

/** A text to speak. */
export interface SpeechRequest {
  /** At most 4,000 characters. Credentials are already removed. */
  readonly text: string;
  /** A voice, as the service names it. Default: the option `voice` of the service. */
  readonly voice?: string | undefined;
  /** Default: the first format of the service. */
  readonly format?: SoundFormat | undefined;
  /** Relative speed from 0.5 to 2. Default 1. */
  readonly speed?: number | undefined;
}

/** A text-to-speech service. */
export interface Speech {
  /** The name for messages. */
  readonly name: string;
  /** Resolves with a complete sound file. Rejects with a ToolError, for example for an unsupported format. */
  speak(request: SpeechRequest, scope: CallScope): Promise<Uint8Array>;
}

/** The formats of sound files. */
export const soundFormats = ['mp3', 'wav', 'opus', 'flac'] as const satisfies readonly SoundFormat[];

const beginnings: readonly (readonly [format: SoundFormat, beginning: RegExp])[] = [
  ['wav', /^RIFF[\s\S]{4}WAVE/],
  ['opus', /^OggS/],
  ['flac', /^fLaC/],
  // An ID3 tag, or a frame of MPEG layer III.
  ['mp3', /^ID3|^\xff[\xe2\xe3\xf2\xf3\xfa\xfb]/],
];

/** Detects the format of a sound file. Throws `execution_failed` if it is unknown or differs from `wanted`. */
export function soundFormat(bytes: Uint8Array, wanted: SoundFormat | undefined, service: string): SoundFormat {
  const start = bytes instanceof Uint8Array ? Buffer.from(bytes.subarray(0, 12)).toString('latin1') : '';
  const format = beginnings.find(([, beginning]) => beginning.test(start))?.[0];
  if (format !== undefined && (wanted === undefined || format === wanted)) return format;
  const what = format === undefined ? 'no sound file' : `${format} in place of ${wanted}`;
  throw new ToolError('execution_failed', `${service} answered with ${what}. Go on without it, and tell the user.`);
}

/** The format to request. Throws `invalid_input` if the service does not support it. */
export function madeFormat<Made extends SoundFormat>(
  format: SoundFormat | undefined,
  made: readonly [Made, ...Made[]],
  service: string,
): Made {
  const found = made.find((one) => one === (format ?? made[0]));
  if (found !== undefined) return found;
  throw new ToolError('invalid_input', `format: ${service} makes ${made.join(', ')}. Give one of these.`);
}
