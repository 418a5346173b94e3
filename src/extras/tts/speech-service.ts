import { kindOf, type OptionKind } from '../../core/support/option-kinds.js';
import { type KeyedPost, type KeyedServiceOptions, keyedPost } from '../../web/fetch/keyed-service.js';

/** What every speech service on the web takes. */
export interface SpeechServiceOptions extends KeyedServiceOptions {
  /** As the service names it. Default: see the service. */
  readonly model?: string | undefined;
  /** Where a call names none. Default: see the service. */
  readonly voice?: string | undefined;
}

/** Posts JSON to a speech service. Throws a TypeError for options of another kind. */
export function speechPost(
  factory: string,
  name: string,
  options: SpeechServiceOptions,
  headers: (apiKey: string) => Readonly<Record<string, string>>,
  furtherKinds: Readonly<Record<string, OptionKind<unknown>>> = {},
): KeyedPost {
  const service = {
    ...{ factory, name, headers, kinds: { model: kindOf.text, voice: kindOf.text, ...furtherKinds } },
    advice: 'It may not know the voice: leave voice and format out.',
    limits: { timeoutMs: 120_000, maxBytes: 50_000_000 },
  };
  return keyedPost(service, options);
}
