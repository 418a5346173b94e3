import type { LinePrefix } from './credential-line-prefix.js';
import type { CredentialKind } from './credential-patterns.js';
import type { CredentialTail } from './credential-span.js';

/** Gives the text that stands for a secret of a kind; the secret is undefined where it is too long to be kept. */
export type Marker = (kind: CredentialKind, secret: string | undefined) => string;

/** How far a decision about one place may look ahead. Beyond it a credential is only followed to its end. */
export const lookaheadChars = 5120;
/** How far a decision may look back. */
export const lookbehindChars = 256;

/** A credential of which the end is not known yet, as far as it was read. */
export interface OpenCredential {
  readonly kind: CredentialKind;
  readonly secret: string | undefined;
}

/** What a scan carries from one piece of text to the next. */
export interface ScanState {
  /** How the credential that is still open goes on. */
  readonly tail: CredentialTail | undefined;
  /** That credential; nothing stands for it yet. */
  readonly open: OpenCredential | undefined;
  /**
   * Where the text stands: anywhere, before a line of a private key, behind the judged part of such a line, or in a
   * cookie header.
   */
  readonly mode: 'text' | 'key-line' | 'key-rest' | 'cookies';
  /** What stands in front of the first line of the private key that the text stands in. */
  readonly linePrefix: LinePrefix | undefined;
  /** How many characters came since the last credential, or since the start. */
  readonly sinceLast: number;
}

/** A piece of text and how much of it may be decided. */
export interface ScanPiece {
  readonly text: string;
  /** Where the undecided text begins; what stands before was decided already and is only looked back at. */
  readonly start: number;
  /**
   * Places before it are decided. Behind it the text goes on for `lookaheadChars`, or it follows a line break, or
   * nothing more comes.
   */
  readonly limit: number;
  /** Whether nothing more comes. */
  readonly isLast: boolean;
}

/** The scrubbed text, how far into the piece it reaches, and the state there. */
export interface Scanned {
  readonly output: string;
  readonly end: number;
  readonly state: ScanState;
}

/** The state at the start of a text. */
export const startOfText: ScanState = {
  tail: undefined,
  open: undefined,
  mode: 'text',
  linePrefix: undefined,
  sinceLast: 0,
};
