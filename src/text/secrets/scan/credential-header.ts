import type { CredentialFinding } from './credential-span.js';
import { isSecretValue } from './secret-value.js';

/** A scheme word and the credential behind it (RFC 6750, RFC 7617). */
export const schemeForm = /b(?:earer|asic)[ \t]{1,4}(?=[A-Za-z0-9+/=._~-]{8})/iy;

const credentialForm = /[A-Za-z0-9+/=._~-]{8,512}/y;
const credentialStop = /[^A-Za-z0-9+/=._~-]/g;

/** What follows the scheme words `Bearer` and `Basic`, wherever they stand. */
export function findSchemeCredential(text: string, start: number, at: number): CredentialFinding | undefined {
  credentialForm.lastIndex = at;
  if (!credentialForm.test(text)) return undefined;
  const run = text.slice(at, credentialForm.lastIndex);
  const isSecret = /^basic/i.test(text.slice(start, start + 5))
    ? isUserAndPassword(run)
    : isSecretValue(run, 'token', 'quoted');
  return isSecret
    ? { kind: 'header', start: at, end: at + run.length, tail: { stop: credentialStop, hold: 0 } }
    : undefined;
}

/** Whether text is base64 of `user:password` (RFC 7617). */
function isUserAndPassword(text: string): boolean {
  return /^[\x20-\x7e\u00a0-\ufffc]*:[\x20-\x7e\u00a0-\ufffc]+$/.test(Buffer.from(text, 'base64').toString('utf8'));
}
