import type { CredentialFinding } from './credential-span.js';
import { isSecretValue } from './secret-value.js';

/** The option of curl and its like that takes a user and a password: `-u name:password`. */
export const userOption = /(?<=[ \t])-(?:u|-user)[ =]["']?[^\s:"'$]{1,64}:[^\s"'@]{4,256}/y;

/** The password of such an option; the user stays, and so do numbers, which are a user and a group. */
export function findOptionPassword(text: string, start: number, end: number): CredentialFinding | undefined {
  const password = text.indexOf(':', start) + 1;
  const isSecret = isSecretValue(text.slice(password, end), 'password', 'quoted');
  return isSecret ? { kind: 'assignment', start: password, end } : undefined;
}
