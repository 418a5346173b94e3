import type { LinePrefix } from './credential-line-prefix.js';
import type { CredentialKind } from './credential-patterns.js';

/**
 * Where a credential goes on to after the text that proved it; the characters up to there belong to it, however many
 * they are.
 */
export interface CredentialTail {
  /** Finds the first place that is no longer part of the credential. */
  readonly stop: RegExp;
  /** How many characters of a piece must wait for the next piece, because what they are depends on it. */
  readonly hold: number;
}

/** A stretch of text from `start` up to `end`, UTF-16 offsets. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * A stretch of text to withhold: from `start` up to `end`, both UTF-16 offsets, and on along the tail. An empty one
 * withholds nothing itself.
 */
export interface CredentialFinding {
  readonly kind: CredentialKind;
  readonly start: number;
  readonly end: number;
  readonly tail?: CredentialTail;
  /** What belongs to it and stands before it, from left to right. */
  readonly before?: readonly TextSpan[];
  /** What begins behind it: the lines of a private key, or the pairs of a cookie header. */
  readonly opens?: 'key' | 'cookies';
  /** What stands in front of the first line of such a key. */
  readonly linePrefix?: LinePrefix;
}
