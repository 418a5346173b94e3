import type { CredentialFinding } from './credential-span.js';
import { looksRandom } from './secret-randomness.js';
import { isHarmlessValue, isPlaceholder } from './secret-value.js';

/**
 * From the `://` of an address up to the `@` behind its user and password (RFC 3986, userinfo); a bare `@` in the
 * password is forgiven where no host stands before it.
 */
export const urlPasswordForm = /:\/\/[^\s:/?#@"'<>`]{0,128}:[^\s/?#@"'<>`]{1,256}(?:@[^\s/?#@"'<>`.:,;=]{1,64}){0,3}@/y;

/** An address with nothing but a token before its host. */
export const urlTokenForm = /:\/\/[A-Za-z0-9_-]{20,256}@/y;

/**
 * The token of such an address, where it looks random; the public key of 32 hexadecimal digits in the addresses of
 * Sentry stays.
 */
export function findUrlToken(text: string, start: number, end: number): CredentialFinding | undefined {
  const token = text.slice(start + 3, end - 1);
  if (/^[0-9a-f]{32}$/.test(token) || !looksRandom(token)) return undefined;
  return { kind: 'url-password', start: start + 3, end: end - 1 };
}

/** Shorter passwords stand in examples only. */
const minPasswordChars = 4;
const exampleWord = /^(?:[A-Za-z]{0,5}|pass(?:word|wd)|secret)$/i;

/**
 * The password inside `scheme://user:password@host`, unless it is a reference or an example's word; user and host stay.
 */
export function findUrlPassword(text: string, start: number, end: number): CredentialFinding | undefined {
  const colon = text.indexOf(':', start + 3);
  const password = text.slice(colon + 1, end - 1);
  if (
    password.length < minPasswordChars ||
    exampleWord.test(password) ||
    isHarmlessValue(password) ||
    (isPlaceholder(password) && !looksRandom(password))
  )
    return undefined;
  return { kind: 'url-password', start: colon + 1, end: end - 1 };
}
