import type { CallScope } from '../../core/context.js';
import { kindOf } from '../../core/support/check-values.js';
import type { KeyedServiceOptions } from '../../web/fetch/keyed-service.js';

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

/** Options of a speech service on the web. */
export interface SpeechServiceOptions extends KeyedServiceOptions {
  /** The model, as the service names it. Default: see the service. */
  readonly model?: string | undefined;
  /** The voice for calls that name no voice. Default: see the service. */
  readonly voice?: string | undefined;
}

/** The common part of all speech services, for `keyedPost`. */
export const speechService = {
  kinds: { model: kindOf.text, voice: kindOf.text },
  advice: 'It may not know the voice: leave voice and format out.',
  limits: { timeoutMs: 120_000, maxBytes: 50_000_000 },
};
