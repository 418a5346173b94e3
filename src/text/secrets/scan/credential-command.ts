import { readQuoted, readRun } from './credential-assigned-value.js';
import { type CredentialFinding, type FormPlace, formRule } from './credential-rule.js';
import { isSecretValue, type ValueSetting } from './secret-value.js';

/** What a user name may begin with, behind `-u`. */
const optionStart = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"\'';
const printable = String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 32 + index));
/** How far before an option the name of its program is looked for. */
const maxBehindChars = 160;
/** Programs that take a password by an option of one letter. */
const programs: Readonly<Record<string, RegExp>> = {
  p: /(?:\bsshpass|\b(?:docker|podman|az|helm registry|oras|crane auth) login\b[^|;&\n]*)[ \t]$/,
  a: /\bredis-cli\b[^|;&\n]*[ \t]$/,
  w: /\bldap\w+\b[^|;&\n]*[ \t]$/,
};

/** A password in a command or a statement: behind an option of a program that is known to take one. */
export const commandRules = [
  // The user stays, and so do numbers, which are a user and a group.
  formRule(
    { heads: ['-u ', '-u=', '--user'], next: optionStart },
    /(?<=[ \t])-(?:u|-user)[ =]["']?[^\s:"'$]{1,64}:[^\s"']{4,256}/y,
    ({ text, start, end }) => {
      const password = text.indexOf(':', start) + 1;
      const isSecret = isSecretValue(text.slice(password, end), 'password', 'quoted');
      return isSecret ? { kind: 'assignment', start: password, end } : undefined;
    },
  ),
  formRule({ heads: ['-p ', '-a ', '-w '], next: printable }, /(?<=[ \t])-[paw][ \t]{1,4}(?=\S{6})/y, (place) => {
    const { text, start, lookbackStart } = place;
    const behind = text.slice(Math.max(lookbackStart, start - maxBehindChars), start);
    return programs[text[start + 1] ?? '']?.test(behind) === true ? passwordAt(place, 'literal') : undefined;
  }),
  formRule(
    { heads: ['mysql', 'mariadb', 'sshpass'] },
    /(?:mysql|mysqldump|mysqladmin|mariadb|sshpass)[ \t]{1,4}(?:[^|;&\n"']{0,80}[ \t])?-p(?=[^\s-]\S{5})/y,
    (place) => passwordAt(place, 'literal'),
  ),
  // `htpasswd -b file user password`, without the file where it prints.
  formRule(
    { heads: ['htpasswd '] },
    /htpasswd(?=[^|;&\n]{0,80}[ \t]-[A-Za-z]*b)(?:(?=[^|;&\n]{0,80}[ \t]-[A-Za-z]*n)(?:[ \t]{1,4}-\S{1,16}){1,6}|(?:[ \t]{1,4}-\S{1,16}){1,6}[ \t]{1,4}[^\s-]\S{0,200})[ \t]{1,4}\S{1,64}[ \t]{1,4}(?=\S{6})/y,
    (place) => passwordAt(place, 'literal'),
  ),
  // SQL and PowerShell.
  formRule(
    { heads: ['identified', 'convertto-secure'], anyCase: true },
    /(?:identified[ \t]{1,4}by|convertto-securestring(?:[ \t]{1,4}-string)?)[ \t]{1,4}(?=["'])/iy,
    (place) => passwordAt(place, 'quoted'),
  ),
];

function passwordAt({ text, end: at }: FormPlace, setting: ValueSetting): CredentialFinding | undefined {
  const value = readQuoted(text, at) ?? readRun(text, at, 'header');
  if (value === undefined || !isSecretValue(text.slice(value.start, value.end), 'password', setting)) return undefined;
  return { kind: 'assignment', start: value.start, end: value.end };
}
