import { type AssignmentContext, assignmentForm, findAssignedSecret } from './credential-assignment.js';
import { cookieHeader, findCookieHeader } from './credential-cookie.js';
import { findSchemeCredential, schemeForm } from './credential-header.js';
import type { Headed } from './credential-heads.js';
import { findOptionPassword, userOption } from './credential-option.js';
import { tokenPatterns } from './credential-patterns.js';
import { findPrivateKey, privateKeyHeader } from './credential-pem.js';
import type { CredentialFinding } from './credential-span.js';
import { findToken } from './credential-token.js';
import { findUrlPassword, urlPasswordForm } from './credential-url.js';

/** A place where a credential may begin: its heads, its sticky form, and the verdict on a match. */
export interface CredentialPlace extends Headed {
  /** Whether only the start of a word counts. */
  readonly startsWord?: boolean;
  readonly form: RegExp;
  /** Judges the match from `start` to `end`. */
  judge(text: string, start: number, end: number, context: AssignmentContext): CredentialFinding | undefined;
}

/** What may follow `key` and other short names at once: no letter, so `keyword` and `keyof` are not even looked at. */
const afterName = '0123456789_-"\'`]\\ \t=:>(';
/** What a user name may begin with, behind `-u`. */
const optionStart = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"\'';
const sensitiveNames = ['pass', 'pwd', 'secret', 'token', 'auth', 'bearer', 'credential', 'jwt', 'key'];

/** Every place where a credential may begin; of several at one place the first that finds something counts. */
export function credentialPlaces(): readonly CredentialPlace[] {
  return [
    ...tokenPatterns.map(
      (pattern): CredentialPlace => ({
        heads: pattern.heads,
        startsWord: true,
        form: new RegExp(`(?:${pattern.heads.map((head) => head.replace(/[.?]/g, '\\$&')).join('|')})${pattern.proof}`, 'y'),
        judge: (text, start, end) => findToken(text, start, end, pattern),
      }),
    ),
    { heads: ['-----BEGIN '], form: privateKeyHeader, judge: findPrivateKey },
    { heads: ['://'], next: everyCharacter(), form: urlPasswordForm, judge: findUrlPassword },
    { heads: ['-u ', '-u=', '--user'], next: optionStart, form: userOption, judge: findOptionPassword },
    { heads: ['bearer', 'basic'], anyCase: true, startsWord: true, form: schemeForm, judge: findSchemeCredential },
    { heads: ['cookie'], anyCase: true, form: cookieHeader, judge: findCookieHeader },
    { heads: sensitiveNames, anyCase: true, next: afterName, form: assignmentForm(sensitiveNames), judge: findAssignedSecret },
  ];
}

function everyCharacter(): string {
  return String.fromCharCode(...Array(128).keys());
}
