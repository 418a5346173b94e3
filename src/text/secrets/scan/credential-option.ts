import { readQuoted, readRun } from './credential-assigned-value.js';
import type { AssignmentContext } from './credential-assignment.js';
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

/** An option of one letter that some programs take a password by. */
export const shortOption = /(?<=[ \t])-[paw][ \t]{1,4}(?=\S{6})/y;
/** The same option with the password right behind it. */
export const attachedOption =
  /(?:mysql|mysqldump|mysqladmin|mariadb|sshpass)[ \t]{1,4}(?:[^|;&\n"']{0,80}[ \t])?-p(?=[^\s-]\S{5})/y;

/** How far before an option the name of its program is looked for. */
const maxBehindChars = 160;
const programs: Readonly<Record<string, RegExp>> = {
  p: /(?:\bsshpass|\b(?:docker|podman|az|helm registry|oras|crane auth) login\b[^|;&\n]*)[ \t]$/,
  a: /\bredis-cli\b[^|;&\n]*[ \t]$/,
  w: /\bldap\w+\b[^|;&\n]*[ \t]$/,
};

/** The password behind such an option of such a program. */
export function findShortOption(
  text: string,
  start: number,
  end: number,
  { lookbackStart, memory }: AssignmentContext,
): CredentialFinding | undefined {
  const behind = text.slice(Math.max(lookbackStart, start - maxBehindChars), start);
  return programs[text[start + 1] ?? '']?.test(behind) === true ? findPassword(text, end, memory) : undefined;
}

/** The password right behind the option. */
export function findAttachedOption(
  text: string,
  _start: number,
  end: number,
  { memory }: AssignmentContext,
): CredentialFinding | undefined {
  return findPassword(text, end, memory);
}

function findPassword(text: string, at: number, memory: AssignmentContext['memory']): CredentialFinding | undefined {
  const value = readQuoted(text, at) ?? readRun(text, at, 'header');
  if (value === undefined || !memory.isSecret(text.slice(value.start, value.end), 'password', 'literal'))
    return undefined;
  return { kind: 'assignment', start: value.start, end: value.end };
}
