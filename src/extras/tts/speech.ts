import type { CallScope } from '../../core/context.js';

/** How speech is stored. */
export type SoundFormat = 'mp3' | 'wav' | 'opus' | 'flac';

/** What to say, and how. */
export interface SpeechRequest {
  /** Scrubbed; at most 4,000 characters. */
  readonly text: string;
  /** As the service names it. Default: the one that the service was given. */
  readonly voice?: string | undefined;
  /** Default: what the service makes best. */
  readonly format?: SoundFormat | undefined;
  /** 1 is the usual pace, 2 twice as fast; 0.5 to 2. Default 1. */
  readonly speed?: number | undefined;
}

/** Turns text into sound. */
export interface Speech {
  /** What people call it, for messages. */
  readonly name: string;
  /** A whole sound file. What it cannot do, such as a format that it does not make, is a ToolError. */
  speak(request: SpeechRequest, scope: CallScope): Promise<Uint8Array>;
}
