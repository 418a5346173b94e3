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
export function findToken(text: string, start: number, end: number, { kind, heads, tail = 'word' }: TokenPattern): CredentialFinding {
  const kept = keepsHead.has(kind) ? (heads.find((head) => text.startsWith(head, start))?.length ?? 0) : 0;
  return { kind, start: start + kept, end, tail: tails[tail] };
}

/** Whether a word begins here, looking back no further than `floor`: after anything but a letter or digit, or after an escape such as `\n`, `%3D` or a colour sequence. */
export function startsWord(text: string, start: number, floor: number): boolean {
  if (start === floor || !isLetterOrDigit(text.charCodeAt(start - 1)) || !isLetterOrDigit(text.charCodeAt(start))) return true;
  return /(?:\\[nrtbfv]|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|%[0-9A-Fa-f]{2}|\[[0-9;]{0,12}m)$/.test(
    text.slice(Math.max(floor, start - 16), start),
  );
}

function isLetterOrDigit(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}
