import { anyCharacter } from '../../core/text/literal-prefix-index.js';
import { readQuoted, readRun, secretIn, withSetting } from './assigned-value.js';
import { before, type CredentialFinding, type CredentialRule, type FormPlace, formRule, maxBefore } from './rule.js';
import type { ValueSetting } from './secret-value.js';

/**
 * One character or one quoted text of a command. A separator of commands ends a command only outside quotes. A quote
 * that does not close may be an apostrophe.
 */
const unit = String.raw`(?:[^|;&\n"'\\]|\\.|"(?:[^"\n\\]|\\.)*"|'[^'\n]*'|["'](?=[^"'\n]*$))`;

/** Programs with a one-letter option for a password. */
const programs: Readonly<Record<string, RegExp>> = {
  p: new RegExp(String.raw`(?:\bsshpass|\b(?:docker|podman|az|helm registry|oras|crane auth) login\b${unit}*)[ \t]$`),
  a: new RegExp(String.raw`\bredis-cli\b${unit}*[ \t]$`),
  w: new RegExp(String.raw`\bldap\w+\b${unit}*[ \t]$`),
};

/** The user stays visible. Two numbers are a user id and a group id, and stay visible too. */
const userName = String.raw`["']?[^\s:"'$]{1,64}:(?=[^\s"']{4})(?!\d+(?:\s|$))`;

const inStatement = /IDENTIFIED|\b(?:[Uu]ser|USER|role|grant|[Pp]assword|PASSWORD)\b|[Cc]onvert[Tt]o/;

/**
 * Finds the options of a program that contain a password directly after their letter. Such an option may follow another
 * credential of the same command, so these rules are also applied at the end of each credential.
 */
export const programRules = [
  programRule(
    ['curl '],
    new RegExp(`curl(?:[ \\t]${unit}*)?$`),
    new RegExp(`[ \\t]-[A-Za-z#]{0,8}[uU] ?${userName}`, 'g'),
    (place) => passwordOfUser(place, 'quoted'),
  ),
  programRule(
    ['mysql', 'mariadb', 'sshpass'],
    new RegExp(`(?:mysql|mysqldump|mysqladmin|mariadb|sshpass)(?:[ \\t]${unit}{0,84})?$`),
    /[ \t]-p(?=[^\s-]\S{5})/g,
    (place) => passwordAt(place, 'quoted'),
  ),
];

/**
 * Finds a password in a shell command or an SQL statement: after an option or keyword that is known to precede
 * passwords.
 */
export const commandRules = [
  ...programRules,
  formRule(
    { heads: ['-u ', '-u=', '--user', '--proxy-user'], next: anyCharacter },
    new RegExp(`(?<=[ \\t])(?:-u|--(?:proxy-)?user)[ =]${userName}(?!//)`, 'y'),
    (place) => passwordOfUser(place, /\b(?:curl|wget|http)/.test(before(place)) ? 'quoted' : 'code'),
  ),
  formRule(
    { heads: ['-p ', '-a ', '-w '], next: anyCharacter },
    /(?<=[ \t])-[paw][ \t]{1,4}(?=\S{6}|["'][^"'\n]{6})/y,
    (place) => {
      const program = programs[place.text[place.start + 1] ?? ''];
      return program?.test(before(place)) === true ? passwordAt(place, 'literal') : undefined;
    },
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

/** The password after the name of a user, if the password is a secret. Quotes enclose the name and the password. */
function passwordOfUser({ text, start, end }: FormPlace, setting: ValueSetting) {
  const quote = text.slice(start, end).search(/["']/);
  const value = quote < 0 ? readRun(text, end, 'literal') : readQuoted(text, start + quote);
  return secretIn(text, value && { ...value, start: end, setting }, 'password');
}

/** Checks each match of `option` that follows `program` closely and in the same command. */
function programRule(
  heads: readonly string[],
  program: RegExp,
  option: RegExp,
  judge: (place: FormPlace) => CredentialFinding | undefined,
): CredentialRule {
  const find: CredentialRule['find'] = (text, start, lookbackStart, scrubbed) => {
    const [part = ''] = text.slice(start, start + 2 * maxBefore).split('\n', 1);
    for (const {
      0: { length },
      index,
    } of part.matchAll(option)) {
      const place = { text, start: start + index, end: start + index + length, lookbackStart, scrubbed };
      const found = program.test(before(place)) ? judge(place) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return { heads, find };
}

/** The password after the matched text, if it is a secret. */
export function passwordAt({ text, end }: FormPlace, setting: ValueSetting) {
  return secretIn(text, withSetting(setting, readQuoted(text, end) ?? readRun(text, end, 'literal')), 'password');
}
