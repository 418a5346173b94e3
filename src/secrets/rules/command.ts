import { anyCharacter } from '../../core/text/literal-prefix-index.js';
import { as, readQuoted, readRun, secretIn } from './assigned-value.js';
import { before, type FormPlace, formRule } from './credential-rule.js';
import type { ValueSetting } from './secret-value.js';

/** Programs with a one-letter option for a password. */
const programs: Readonly<Record<string, RegExp>> = {
  p: /(?:\bsshpass|\b(?:docker|podman|az|helm registry|oras|crane auth) login\b[^|;&\n]*)[ \t]$/,
  a: /\bredis-cli\b[^|;&\n]*[ \t]$/,
  w: /\bldap\w+\b[^|;&\n]*[ \t]$/,
};

const inStatement = /IDENTIFIED|\b(?:[Uu]ser|USER|role|grant|[Pp]assword|PASSWORD)\b|[Cc]onvert[Tt]o/;

/**
 * Finds a password in a shell command or an SQL statement: after an option or keyword that is known to precede
 * passwords.
 */
export const commandRules = [
  // The user stays visible, and so do two numbers: a user id and a group id. Only curl accepts a value directly after
  // its option.
  formRule(
    { heads: ['-u ', '-u=', '--user', '--proxy-user', 'curl '], next: anyCharacter },
    /(?:(?<=[ \t])(?:-u|--(?:proxy-)?user)[ =]|curl[ \t](?:[^|;&\n]{0,200}[ \t])?-[A-Za-z#]{0,8}[uU] ?)["']?[^\s:"'$]{1,64}:(?=[^\s"']{4})(?!\d+(?:\s|$))/y,
    (place) => {
      const { text, end: start } = place;
      const isCurl = /\b(?:curl|wget|http)/.test(before(place) + text.slice(place.start, place.start + 4));
      const end = start + text.slice(start, start + 256).search(/[\s"']|$/);
      return secretIn(text, { start, end, setting: isCurl ? 'quoted' : 'code' }, 'password');
    },
  ),
  formRule({ heads: ['-p ', '-a ', '-w '], next: anyCharacter }, /(?<=[ \t])-[paw][ \t]{1,4}(?=\S{6})/y, (place) => {
    const program = programs[place.text[place.start + 1] ?? ''];
    return program?.test(before(place)) === true ? passwordAt(place, 'literal') : undefined;
  }),
  formRule(
    { heads: ['mysql', 'mariadb', 'sshpass'] },
    /(?:mysql|mysqldump|mysqladmin|mariadb|sshpass)[ \t]{1,4}(?:[^|;&\n"']{0,80}[ \t])?-p(?=[^\s-]\S{5})/y,
    (place) => passwordAt(place, 'quoted'),
  ),
  // `htpasswd -b file user password`, or `htpasswd -nb user password`, which prints the entry.
  formRule(
    { heads: ['htpasswd '] },
    /htpasswd(?=[^|;&\n]{0,80}[ \t]-[A-Za-z]*b)(?:(?=[^|;&\n]{0,80}[ \t]-[A-Za-z]*n)(?:[ \t]{1,4}-\S{1,16}){1,6}|(?:[ \t]{1,4}-\S{1,16}){1,6}[ \t]{1,4}[^\s-]\S{0,200})[ \t]{1,4}\S{1,64}[ \t]{1,4}(?=\S{6})/y,
    (place) => passwordAt(place, 'quoted'),
  ),
  // SQL and PowerShell.
  formRule(
    { heads: ['identified', 'convertto-secure', 'password for'], anyCase: true },
    /(?:identified(?:[ \t]{1,4}with[ \t]{1,4}\S{1,64})?[ \t]{1,4}by(?: password)?|convertto-securestring(?:[ \t]{1,4}-string)?|password[ \t]for[ \t]\S{1,128}[ \t]{0,4}=(?:[ \t]{0,4}password\()?)[ \t]{0,4}(?=["'])/iy,
    (place) =>
      inStatement.test(before(place) + place.text.slice(place.start, place.end))
        ? passwordAt(place, 'literal')
        : undefined,
  ),
  formRule({ heads: ['IDENTIFIED BY '] }, /IDENTIFIED BY[ \t]{1,4}(?=[\w#$]{3,64}[ \t\r]*(?:;|$))/my, (place) =>
    passwordAt(place, 'literal'),
  ),
];

/** The password after the matched text, if it is a secret. */
export function passwordAt({ text, end }: FormPlace, setting: ValueSetting) {
  return secretIn(text, as(setting, readQuoted(text, end) ?? readRun(text, end, 'header')), 'password');
}
