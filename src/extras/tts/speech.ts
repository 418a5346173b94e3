import type { CallScope } from '../../core/context.js';

/** The format of a sound file. */
export type SoundFormat = 'mp3' | 'wav' | 'opus' | 'flac';

/** A text to speak. */
export interface SpeechRequest {
  /** Scrubbed; at most 4,000 characters. */
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
