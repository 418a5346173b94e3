import type { CredentialKind, TokenPattern } from './credential-patterns.js';
import type { CredentialFinding, CredentialTail } from './credential-span.js';

const tails: Readonly<Record<NonNullable<TokenPattern['tail']>, CredentialTail>> = {
  word: { stop: /[^A-Za-z0-9_-]/g, hold: 0 },
  dotted: { stop: /[^A-Za-z0-9_.-]|\.(?![A-Za-z0-9_-])/g, hold: 1 },
  base64: { stop: /[^A-Za-z0-9_+/=%-]/g, hold: 0 },
  crypt: { stop: /[^A-Za-z0-9./=,$+]/g, hold: 0 },
  path: { stop: /[^A-Za-z0-9_/-]/g, hold: 0 },
};

/** Kinds whose head is an address or a name, no secret. */
const keepsHead: ReadonlySet<CredentialKind> = new Set(['webhook', 'telegram-token', 'url-signature']);

/** The token that is proven from `start` to `end`. The host of a webhook and the like stay. */
export function findToken(
  text: string,
  start: number,
  end: number,
  { kind, heads, tail = 'word' }: TokenPattern,
): CredentialFinding {
  const kept = keepsHead.has(kind) ? (heads.find((head) => text.startsWith(head, start))?.length ?? 0) : 0;
  return { kind, start: start + kept, end, tail: tails[tail] };
}

/** The end of an escape in code or in an address, or of a colour sequence that has lost its first character. */
const shortEscapeEnd = /(?:\\[nrtbfv]|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|%[0-9A-Fa-f]{2}|\[[0-9;]{0,12}m)$/;
/** The first character of a sequence for a terminal, as it is or spelled out. */
const escapeCharacter = String.raw`(?:\\(?:x1b|u001b|u\{1b\}|e|033)|\^\[|[\x1b\u241b])`;
/** The end of such a sequence (ECMA-48, sections 5.3 and 5.4). */
const controlSequenceEnd = new RegExp(
  String.raw`(?:${escapeCharacter}\[|\x9b)[0-?]{0,40}[ -/]{0,2}[@-~]$|\x1b[ -/]{0,2}[0-~]$`,
  'i',
);
const maxSequenceChars = 56;

/**
 * Whether a word begins here, looking back no further than `lookbackStart`: after anything but a letter or digit, or
 * after an escape such as `\n`, `%3D` or a colour sequence.
 */
export function startsWord(text: string, start: number, lookbackStart: number): boolean {
  if (
    start === lookbackStart ||
    !isLetterOrDigit(text.charCodeAt(start - 1)) ||
    !isLetterOrDigit(text.charCodeAt(start))
  )
    return true;
  if (shortEscapeEnd.test(text.slice(Math.max(lookbackStart, start - 16), start))) return true;
  const least = startOfSequence(text, start - 1, Math.max(lookbackStart, start - maxSequenceChars));
  return least >= 0 && controlSequenceEnd.test(text.slice(least, start));
}

/** Where a sequence for a terminal that ends with the character at `last` may begin; -1 where there is none. */
function startOfSequence(text: string, last: number, least: number): number {
  let at = last - 1;
  while (at >= least && text.charCodeAt(at) >= 32 && text.charCodeAt(at) <= 63) at--;
  if (at < least) return -1;
  const code = text.charCodeAt(at);
  return code === 91 || code === 27 || code === 155 ? Math.max(least, at - 8) : -1;
}

function isLetterOrDigit(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}
