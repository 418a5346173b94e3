import { kindOf } from '../../core/support/check-values.js';
import type { KeyedServiceOptions } from '../../web/fetch/keyed-service.js';

/** Options of a speech service on the web. */
export interface SpeechServiceOptions extends KeyedServiceOptions {
  /** As the service names it. Default: see the service. */
  readonly model?: string | undefined;
  /** The voice for calls that name none. Default: see the service. */
  readonly voice?: string | undefined;
}

/** The common part of all speech services, for `keyedPost`. */
export const speechService = {
  kinds: { model: kindOf.text, voice: kindOf.text },
  advice: 'It may not know the voice: leave voice and format out.',
  limits: { timeoutMs: 120_000, maxBytes: 50_000_000 },
};
