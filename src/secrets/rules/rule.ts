import type { Headed } from '../../core/text/literal-prefix-index.js';
import { withoutColours } from './line-decoration.js';

/** The maximum number of characters that `before` returns. */
export const maxBefore = 240;

/** The kinds of credentials: first those of the table of issued tokens, then all others. */
export const credentialKinds = [
  'openai-key',
  'anthropic-key',
  'github-token',
  'gitlab-token',
  'aws-key',
  'google-key',
  'slack-token',
  'stripe-key',
  'npm-token',
  'sendgrid-key',
  'telegram-token',
  'jwt',
  'webhook',
  'url-signature',
  'twilio-key',
  'azure-secret',
  'password-hash',
  'service-token',
  'private-key',
  'url-password',
  'header',
  'cookie',
  'assignment',
  'known-value',
] as const;

/** The kind of a found credential; a mark may name the kind. */
export type CredentialKind = (typeof credentialKinds)[number];

/** Returns the mark for a secret of a kind; the secret is undefined if it is too long to keep. */
export type Marker = (kind: CredentialKind, secret: string | undefined) => string;

/** A range of a text, in UTF-16 offsets. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** A range to hide. An empty range hides nothing itself. */
export interface CredentialFinding extends TextSpan {
  readonly kind: CredentialKind;
  /** Ranges before this one that belong to the same credential, from left to right. */
  readonly before?: readonly TextSpan[];
  /** Reads the following text part by part: the lines of a key or of a block, the pairs of a cookie header. */
  readonly opens?: PartReader;
}

/** A part of an open credential: its end, and the secret in it. */
export interface CredentialPart {
  readonly end: number;
  readonly secret?: CredentialFinding;
}

/** Reads the part at `at`; undefined if no part follows. */
export type PartReader = (text: string, at: number) => CredentialPart | undefined;

/**
 * The end of a credential that is recognised by its characters before `from`: the first match of `stop` after `from`,
 * or the end of the text. `stop` matches line breaks.
 */
export function endOfRun(text: string, from: number, stop: RegExp): number {
  stop.lastIndex = from;
  return stop.exec(text)?.index ?? text.length;
}

/** A place that an expression has matched. */
export interface FormPlace {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** The end of the last credential. No rule reads before it in `text`. */
  readonly lookbackStart: number;
  /** The last characters of the scrubbed text before `lookbackStart`. */
  readonly scrubbed: string;
}

/** One form of credentials: the heads to search for, and the check of a place where a head is found. */
export interface CredentialRule extends Headed {
  /** Whether the head must be the start of a word. */
  readonly startsWord?: boolean;
  /**
   * Checks the place at `start`. Reads at most 5,120 characters after the place and 256 before it; only the footer of a
   * private key makes a rule read further back, to the key lines above it. See `FormPlace` for the parameters.
   */
  find(text: string, start: number, lookbackStart: number, scrubbed: string): CredentialFinding | undefined;
}

/** A rule that checks the match of a sticky expression at one of its heads. */
export function formRule(
  headed: Omit<CredentialRule, 'find'>,
  form: RegExp,
  judge: (place: FormPlace) => CredentialFinding | undefined,
): CredentialRule {
  return {
    ...headed,
    find: (text, start, lookbackStart, scrubbed) => {
      form.lastIndex = start;
      return form.test(text) ? judge({ text, start, end: form.lastIndex, lookbackStart, scrubbed }) : undefined;
    },
  };
}

/**
 * The text before a place, without colours. Credentials in it are replaced by marks, so scrubbed text gives the same
 * verdict as the original.
 */
export function before({ text, start, lookbackStart, scrubbed }: FormPlace): string {
  const from = start - maxBefore;
  if (from >= lookbackStart) return withoutColours(text.slice(from, start));
  return withoutColours((scrubbed + text.slice(lookbackStart, start)).slice(-maxBefore));
}
