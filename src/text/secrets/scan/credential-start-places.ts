import { type AssignmentContext, findAssignment, sensitiveWords } from './credential-assignment.js';
import { cookieHeader, findCookieHeader } from './credential-cookie.js';
import { findSchemeCredential, schemeForm } from './credential-header.js';
import { findKeyFooter, privateKeyFooter } from './credential-key-end.js';
import { entryValue, findEntryValue, findStatementPassword, statementPassword } from './credential-list-entry.js';
import {
  attachedOption,
  findAttachedOption,
  findOptionPassword,
  findShortOption,
  shortOption,
  userOption,
} from './credential-option.js';
import { type TokenPattern, tokenPatterns } from './credential-patterns.js';
import { findPrivateKey, findPuttyKey, privateKeyHeader, puttyHeader } from './credential-pem.js';
import { servicePatterns } from './credential-service-patterns.js';
import type { CredentialFinding } from './credential-span.js';
import { findToken } from './credential-token.js';
import { findUrlPassword, findUrlToken, urlPasswordForm, urlTokenForm } from './credential-url.js';
import type { Headed } from './literal-prefix-index.js';

/** A place where a credential may begin: its heads, and the verdict on it. */
export interface CredentialPlace extends Headed {
  /** Whether only the start of a word counts. */
  readonly startsWord?: boolean;
  /** Judges the place at `start`, where one of the heads may stand. */
  find(text: string, start: number, context: AssignmentContext): CredentialFinding | undefined;
}

/** What may follow `key` and other short names at once: no letter, so `keyword` and `keyof` are not even looked at. */
const afterName = '0123456789_-"\'`]\\ \t=:>(\x1b\x9b';
/** What a user name may begin with, behind `-u`. */
const optionStart = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"\'';

/** Every place where a credential may begin; of several at one place the first that finds something counts. */
export function credentialPlaces(): readonly CredentialPlace[] {
  return [
    ...[...tokenPatterns, ...servicePatterns].map(
      (pattern): CredentialPlace => ({
        heads: pattern.heads,
        ...(pattern.next !== undefined && { next: pattern.next }),
        startsWord: true,
        find: atForm(tokenForm(pattern), (text, start, end) => findToken(text, start, end, pattern)),
      }),
    ),
    { heads: ['-----BEGIN '], find: atForm(privateKeyHeader, findPrivateKey) },
    { heads: ['-----END '], find: atForm(privateKeyFooter, findKeyFooter) },
    { heads: ['Private-Lines: '], find: atForm(puttyHeader, findPuttyKey) },
    { heads: ['://'], next: everyCharacter(), find: atForm(urlPasswordForm, findUrlPassword) },
    { heads: ['://'], next: everyCharacter(), find: atForm(urlTokenForm, findUrlToken) },
    { heads: ['-u ', '-u=', '--user'], next: optionStart, find: atForm(userOption, findOptionPassword) },
    { heads: ['-p ', '-a ', '-w '], next: printable(), find: atForm(shortOption, findShortOption) },
    { heads: ['mysql', 'mariadb', 'sshpass'], find: atForm(attachedOption, findAttachedOption) },
    { heads: ['value:', 'value :', 'value":', "value':", 'default '], find: atForm(entryValue, findEntryValue) },
    {
      heads: ['identified', 'convertto-secure'],
      anyCase: true,
      find: atForm(statementPassword, findStatementPassword),
    },
    { heads: ['bearer', 'basic'], anyCase: true, startsWord: true, find: atForm(schemeForm, findSchemeCredential) },
    { heads: ['cookie', '-b "', "-b '"], anyCase: true, find: atForm(cookieHeader, findCookieHeader) },
    { heads: sensitiveWords, anyCase: true, next: afterName, find: findAssignment },
  ];
}

function tokenForm({ heads, proof }: TokenPattern): RegExp {
  return new RegExp(`(?:${heads.map((head) => head.replace(/[.?$]/g, '\\$&')).join('|')})${proof}`, 'y');
}

/** Judges what a sticky form matches. */
function atForm(
  form: RegExp,
  judge: (text: string, start: number, end: number, context: AssignmentContext) => CredentialFinding | undefined,
): CredentialPlace['find'] {
  return (text, start, context) => {
    form.lastIndex = start;
    return form.test(text) ? judge(text, start, form.lastIndex, context) : undefined;
  };
}

function printable(): string {
  return String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 32 + index));
}

function everyCharacter(): string {
  return String.fromCharCode(...Array(128).keys());
}
