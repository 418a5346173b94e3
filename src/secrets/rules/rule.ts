import type { Headed } from './literal-prefix-index.js';
import { withoutColours } from './terminal-colours.js';
import type { TokenKind } from './token.js';

/** The sorts of credentials that are no tokens. */
export const otherKinds = ['private-key', 'url-password', 'header', 'cookie', 'assignment', 'known-value'] as const;

/** What sort of credential was found; a mark may name it. */
export type CredentialKind = TokenKind | (typeof otherKinds)[number];

/** Gives the text that stands for a secret of a kind; the secret is undefined where it is too long to be kept. */
export type Marker = (kind: CredentialKind, secret: string | undefined) => string;

/** A stretch of text, in UTF-16 offsets. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** A stretch of text to withhold; an empty one withholds nothing itself. */
export interface CredentialFinding extends TextSpan {
  readonly kind: CredentialKind;
  /** What belongs to it and stands before it, from left to right. */
  readonly before?: readonly TextSpan[];
  /** Reads what begins behind it part by part: the lines of a key or of a block, the pairs of a cookie header. */
  readonly opens?: PartReader;
}

/** A part of what a finding has opened: how far it goes, and the secret in it. */
export interface CredentialPart {
  readonly end: number;
  readonly secret?: CredentialFinding;
}

/** Reads the part at `at`, which ends behind it; undefined where no part follows. */
export type PartReader = (text: string, at: number) => CredentialPart | undefined;

/**
 * Where a credential ends of which `from` characters are proof enough: at the first place that `stop` finds, which does
 * not go beyond a line.
 */
export function endOfRun(text: string, from: number, stop: RegExp): number {
  stop.lastIndex = from;
  return stop.exec(text)?.index ?? text.length;
}

/** A place that a form has matched. Nothing before `lookbackStart`, where the last credential ended, is looked at. */
export interface FormPlace {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly lookbackStart: number;
}

/** One form of credentials: the heads by which places are found, and the verdict on such a place. */
export interface CredentialRule extends Headed {
  /** Whether only the start of a word counts. */
  readonly startsWord?: boolean;
  /** Judges the place at `start`, looking at no more than 5,120 characters behind it and 256 before it. */
  find(text: string, start: number, lookbackStart: number): CredentialFinding | undefined;
}

/** A rule that judges what a sticky expression matches at one of its heads. */
export function formRule(
  headed: Omit<CredentialRule, 'find'>,
  form: RegExp,
  judge: (place: FormPlace) => CredentialFinding | undefined,
): CredentialRule {
  return {
    ...headed,
    find: (text, start, lookbackStart) => {
      form.lastIndex = start;
      return form.test(text) ? judge({ text, start, end: form.lastIndex, lookbackStart }) : undefined;
    },
  };
}

/** What stands before a place, without colours. */
export function before({ text, start, lookbackStart }: FormPlace): string {
  return withoutColours(text.slice(Math.max(lookbackStart, start - 240), start));
}
