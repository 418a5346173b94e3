import { type AssignedValue, readQuoted, readRun, readScheme, secretIn, withSetting } from './assigned-value.js';
import { readDatum, readLine, settingOfQuoted } from './data-value.js';
import { colourBefore, colouredBorderEnd, linePrefix, rendition, withoutColours } from './line-decoration.js';
import { blockLines } from './name-on-other-line.js';
import { type CredentialFinding, type CredentialRule, formRule } from './rule.js';
import { secretStyleOf } from './secret-names.js';
import type { SecretStyle } from './secret-value.js';

/** Words in a name that announce a secret. */
const words = ['pass', 'pwd', 'secret', 'token', 'auth', 'bearer', 'credential', 'jwt', 'key', 'pat', 'psk'];
const sensitiveWord = new RegExp(words.join('|'), 'iy');
/**
 * The characters that may directly follow `key` and other short words. Letters are excluded, so `keyword` and `keyof`
 * need no further check.
 */
const afterName = '0123456789_-"\'`]\\ \t=:>(?|%\x1b\x9b';

/** The maximum number of characters of a name before its sensitive word. */
const maxNameChars = 64;
/** The maximum number of characters of a name from the start of its sensitive word. */
const maxNameRest = 40;

/**
 * The separators between a name and its value. One form is a closing quote or bracket, a type annotation, then a sign.
 * The others are a `value` field, a comma, a call, a table column, spaces, "is" and "to".
 */
const separators = [
  /:[-=](?<=\$\{[A-Za-z_]\w{0,63}:.)(?=[^\s}])/,
  /[ \t]{0,4}(?:\|\||\?\?)(?<=\benv\.[A-Za-z_]\w{0,63}[ \t]{0,4}..)[ \t]{0,4}(?=["'`])/,
  /["']\)[ \t]{0,4}(?:\|\||\?\?|\?:|or)(?<=env\(["'][A-Za-z_]\w{0,63}["']\)[ \t]{0,4}..)[ \t]{0,4}(?=["'`])/,
  /(?:%22)?%3[AD](?:%20|%22|\+){0,4}(?=[^\s%&]|%(?!3C|24|7B))/,
  /(?::\*\*|\*\*:)[ \t]{1,4}(?=\S{6})/,
  /(?:\\{0,3}["'`])?\]?(?:[ \t](?:string|str)(?=[ \t]=))?[ \t]{0,8}(?:[=!]==?|=>|[:?+]=|[=>]|:[ \t]{0,4}(?:&?[A-Za-z](?:[\w.<>|?]|\[(?!redacted)(?:[a-z]\w{0,12})?\]){0,32}[ \t]{0,4}=(?!=))?)[ \t]{0,8}(?:Some\()?(?=\S)/,
  /\\{0,3}["'`][ \t]?,?[ \t]{0,4}\\{0,3}["'`]?value\\{0,3}["'`]?[ \t]?[:=][ \t]{0,4}/,
  /\\{0,3}["'`][ \t]?,[ \t]{0,4}(?=\\{0,3}["'`]\S)/,
  /\([ \t]?(?=["'`]\S)/,
  /`?[ \t]{1,40}\|[ \t]{1,40}(?=\S{6})/,
  /[ \t]{1,8}(?:(?:is|was|to|-(?=[ \t]"|[ \t]'))[ \t]{1,4}(?:set to[ \t]{1,4})?)?(?=[^\s=:])/,
];
const separator = new RegExp(separators.map(({ source }) => source).join('|'), 'iy');
const separatorStarts = new Set([...'\\"\'`] \t=!+:>,(*?|%\x1b\x9b'].map((character) => character.charCodeAt(0)));

const credentialEnd = /(?:pass[a-z]*|pwd|secret|token|key|bearer|authorization)$/i;
/** Shell variables that contain folders, although their names contain `pwd`. */
const workingFolderName = /^(?:old)?pwd$/i;
const absolutePath = /^(?:~|[A-Za-z]:)?[\\/][^\\/\s]+[\\/]/;
/** The indicator of a YAML block scalar, up to the end of its line. */
const block = new RegExp(String.raw`["']?[ \t]{0,8}:[ \t]{1,8}[|>][-+\d]{0,2}[ \t]{0,8}${rendition}{0,4}\r?\n`, 'y');
/** The text that may precede a name on its line. */
const lineStart = new RegExp(`(?:^|\\n)${linePrefix}([ \\t-]*["']?)$`);
const maxValueChars = 640;
const lineOrColour = String.raw`\n\x1b\x9b`;
const valueForm = new RegExp(`^[^${lineOrColour}]*[${lineOrColour}]?`);
/** The maximum number of characters that are read before a name. */
const maxBefore = 160;

/** A value that is long enough to be a secret although its name, for example `key`, is unspecific. */
const longRun = /^\W{0,3}[^\s"'`,;()]{16}/;

interface Name {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Finds the value of a name that announces a secret. Colours between name and value are ignored. */
export const assignmentRule: CredentialRule = { heads: words, anyCase: true, next: afterName, find: findAssignment };

/** Finds the default value of an unset shell variable, `${TOKEN-…}`. `${TOKEN:-…}` is read as an assignment. */
export const defaultRule = formRule(
  { heads: ['${'], next: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ_' },
  /\$\{[A-Z_][A-Z0-9_]{0,63}-(?=[^\s}])/y,
  ({ text, start, end }) => {
    const style = secretStyleOf(text.slice(start + 2, end - 1));
    return (
      style &&
      secretIn(text, withSetting('literal', readQuoted(text, end)) ?? readForm(defaultOfShell, text, end), style)
    );
  },
);

function findAssignment(text: string, start: number, lookbackStart: number): CredentialFinding | undefined {
  let end = start;
  while (end < start + maxNameRest && isNameCharacter(text.charCodeAt(end))) end++;
  // Most sensitive words have no separator after them, so most calls return here.
  if (!separatorStarts.has(text.charCodeAt(end))) return undefined;
  const borderEnd = colouredBorderEnd(text, end);
  if (borderEnd === undefined) return findPlain(text, start, end, lookbackStart);
  // Spaces at the start replace the removed colours, so that positions after the colours stay the same.
  const from = Math.max(0, end - maxBefore);
  const border = withoutColours(text.slice(end, borderEnd));
  const lost = borderEnd - end - border.length;
  // A value ends at a line break or a colour.
  const [value = ''] = valueForm.exec(text.slice(borderEnd, borderEnd + maxValueChars)) ?? [];
  const part = ' '.repeat(lost) + text.slice(from, end) + border + value;
  const lookback = Math.max(0, lookbackStart - from + lost);
  const found = findPlain(part, start - from + lost, end - from + lost, lookback);
  if (found === undefined) return undefined;
  // The value may start with a character of the separator; then all of the separator is hidden with it.
  const [first, last] = [found.start, found.end].map((at) => (at + from >= borderEnd ? at + from : end));
  return { ...found, start: first ?? end, end: last ?? end };
}

function findPlain(text: string, start: number, end: number, lookbackStart: number): CredentialFinding | undefined {
  sensitiveWord.lastIndex = start;
  if (!sensitiveWord.test(text)) return undefined;
  separator.lastIndex = end;
  block.lastIndex = end;
  const isBlock = block.test(text);
  if (!isBlock && !separator.test(text)) return undefined;
  const name = readName(text, start, end, lookbackStart);
  if (isBlock) return findBlock(text, name, block.lastIndex);
  return findAssigned(text, name, separator.lastIndex, lookbackStart);
}

function findBlock(text: string, name: Name, end: number): CredentialFinding | undefined {
  const style = secretStyleOf(name.text);
  const before = withoutColours(text.slice(Math.max(0, name.start - maxBefore), name.start));
  const indent = lineStart.exec(before)?.[1];
  if (style === undefined || indent === undefined) return undefined;
  return { kind: 'assignment', start: end, end, opens: blockLines(indent.search(/\S|$/), style) };
}

function findAssigned(text: string, name: Name, at: number, lookbackStart: number): CredentialFinding | undefined {
  const style = secretStyleOf(/^key$/i.test(name.text) ? wordBefore(text, name, lookbackStart) + name.text : name.text);
  if (style === undefined || (style === 'key' && !longRun.test(text.slice(at, at + 24)))) return undefined;
  const found = secretIn(text, readValue(text, at, name, lookbackStart, style), style);
  const isFolder = workingFolderName.test(name.text) && absolutePath.test(text.slice(found?.start, found?.end));
  // A small number is no secret if its name has a further word (`password_rounds`).
  const isCount = !credentialEnd.test(name.text) && /^\d{1,3}$/.test(text.slice(found?.start, found?.end));
  return isFolder || isCount ? undefined : found;
}

function readName(text: string, word: number, end: number, lookbackStart: number): Name {
  const least = Math.max(lookbackStart, word - maxNameChars);
  let start = word;
  while (start > least && (text[start - 1] === '.' || isNameCharacter(text.charCodeAt(start - 1)))) start--;
  start += colourBefore(text, start, word);
  // The `n` of `\n` in a string does not belong to the name after it.
  if (start > least && start < word && /\\[nrt]/.test(text.slice(start - 1, start + 1))) start++;
  return { start, end, text: text.slice(start, end) };
}

function isNameCharacter(code: number): boolean {
  const letter = code | 32;
  return (letter >= 97 && letter <= 122) || (code >= 48 && code <= 57) || code === 95 || code === 45;
}

/** The text before a name, on the same line and on the lines above, back to the last mark. */
function lineBefore(text: string, name: Name, lookbackStart: number): string {
  const before = withoutColours(text.slice(Math.max(lookbackStart, name.start - maxBefore), name.start));
  const mark = before.lastIndexOf('[REDACTED');
  return mark < 0 ? before : before.slice(before.indexOf(']', mark) + 1);
}

/** The first word of a name of two words, such as "API key". */
function wordBefore(text: string, name: Name, lookbackStart: number): string {
  if (name.start === lookbackStart || text[name.start - 1] !== ' ') return '';
  return /[A-Za-z]{2,16} $/.exec(lineBefore(text, name, lookbackStart))?.[0] ?? '';
}

/** The text before the password in a connection string. */
const connectionString =
  /\b(?:server|host|database|source|catalog|user id|uid|user|account\w{0,12})=[^"'\n]{1,48};[ \t]?$/i;
/** A call that sets a variable, or that reads a variable with a default value. */
const environmentCall =
  /\b(?:define|(?:get|set|put)_?env|env|environ\.(?:get|setdefault|pop)|env\.fetch|config)\([ \t]*\\{0,3}["']$/i;
const defaultOfShell = /[^}\n]{1,256}(?=\})/y;
const percentEncoded = /(?:[\w.~!*()'+-]|%(?!2[26C]|3B|7D|0[AD])[\dA-F]{2}){1,256}/iy;
const headerOption = /(?:[ \t]-H|--header)[ =]?["']$/;

function readValue(text: string, at: number, name: Name, lookbackStart: number, style: SecretStyle) {
  const between = text.slice(name.end, at).replace(/\+(?==)/, '');
  const before = lineBefore(text, name, lookbackStart);
  if (between.includes('%3')) return readForm(percentEncoded, text, at);
  if (/\|\||\?\?|\?:|\)[ \t]*or/.test(between)) return withSetting('literal', readQuoted(text, at));
  if (/^[ \t]/.test(between) && !/[=:>|]/.test(between)) return readSpaced(text, at, name, before);
  const quoted = readQuoted(text, at);
  if (/^:[-=]$/.test(between) && before.endsWith('${'))
    return withSetting('literal', quoted) ?? readForm(defaultOfShell, text, at);
  if (/^\\{0,3}["'`][ \t]?,/.test(between)) {
    if (environmentCall.test(before)) return withSetting('literal', quoted);
    if (!/^\\{0,3}["'`]\S{6}/.test(text.slice(at, at + 10))) return undefined;
  }
  const place = { text, at, before, name: name.text, sign: between };
  const isHeader = /authorization$/i.test(name.text) && between.includes(':');
  const scheme = readScheme(text, quoted?.start ?? at, isHeader);
  if (scheme !== undefined) return scheme;
  if (between.startsWith('(') && name.text === 'PASSWORD') return withSetting('literal', quoted);
  if (style === 'key' && /\||^\(|[=!]=|,[ \t]*$/.test(between)) return undefined;
  if (between.includes('|') || /^\(|[=!]=|,[ \t]*$/.test(between))
    return withSetting('prose', quoted ?? readRun(text, at, 'code'));
  if (quoted !== undefined) return withSetting(settingOfQuoted(quoted, place), quoted);
  if (between === '=' && /[?&]$|:\/\/\S*#$/.test(before)) return readRun(text, at, 'query');
  if (between === '>') return readRun(text, at, 'element');
  if (/[; ]$/.test(before) && connectionString.test(before)) return readRun(text, at, 'header');
  if (between.startsWith(':') && (/^X-|-(?:Key|Token)$/i.test(name.text) || headerOption.test(before)))
    return readRun(text, at, 'header');
  const isNumber = style === 'password' && /^\\{0,3}["'][ \t]*:/.test(between);
  if (isNumber && /^\d+(?![\w.])/.test(text.slice(at, at + 64)))
    return withSetting('literal', readRun(text, at, 'code'));
  return readDatum(place) ?? readRun(text, at, 'code');
}

function readForm(form: RegExp, text: string, at: number): AssignedValue | undefined {
  form.lastIndex = at;
  return form.test(text) ? { start: at, end: form.lastIndex, setting: 'literal' } : undefined;
}

/** A command or keyword that sets the variable whose name follows. */
const setting =
  /(?:^|[\s;&|'"(])(?:[Ss]et[Ee]nv|set-env|setx|set[ \t]+-\S*|ENV|proxy_set_header|(?:git|npm|yarn|pnpm|pip|poetry|aws|heroku)[ \t][^\n]{0,40}?(?:config|configure)(?:[ :]set)?)[ \t]+(?:-\S+[ \t]+){0,3}(?:\S*[/:])?$/;
const sqlBefore = /\b(?:role|user|login|with|encrypted|alter|create)\b(?:[^;\n]*|(?:[^;\n"']|"[^"\n]*"|'[^'\n]*')*)$/i;
/** The words before an option that a sentence only mentions. */
const spokenOf = /\b(?:the|an?|with|via|us(?:e|ing)|or|and|pass|add|set|through|by|no|options?|flags?)[ \t]+["'`]?$/i;

/**
 * Reads a value that only spaces separate from its name: in an option, a command that sets a variable, an SQL
 * statement, a `.netrc` entry, or a sentence. In a sentence only a random value is a secret.
 */
function readSpaced(text: string, at: number, name: Name, before: string): AssignedValue | undefined {
  if (text[at] === '-') return undefined;
  const quoted = readQuoted(text, at);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  if (name.text.startsWith('--') && !spokenOf.test(line)) {
    const word = quoted ?? readRun(text, at, 'literal');
    const { start = at, end = at } = word ?? {};
    const isPlaceholder = /^[A-Z_]+[),.:]?$/.test(text.slice(start, end));
    // Two spaces separate the columns of a usage text.
    const isColumn = text.endsWith('  ', at) || text.startsWith('  ', end);
    const isMentioned = isPlaceholder || isColumn || /[^"'`][),.:]$/.test(text.slice(start, end + 2).trimEnd());
    return withSetting(isMentioned ? 'prose' : 'literal', word);
  }
  if (setting.test(line)) return withSetting('literal', quoted ?? readLine(text, at, /["'`]/.test(line)));
  if (/^password$/i.test(name.text) && quoted !== undefined && (name.text === 'PASSWORD' || sqlBefore.test(line)))
    return withSetting('literal', quoted);
  if (/#[ \t]*define[ \t]+$/.test(line)) return withSetting('literal', quoted);
  const [, user] = /(login|user)[ \t]+\S+\s+$/.exec(before) ?? [];
  // The line number of a search result, or the sign of a diff, looks like a part of the name.
  const isPassword = /^(?:\d{0,9}-)?password$/.test(name.text);
  const value = readRun(text, at, 'header');
  if (isPassword && user !== undefined)
    return value && withSetting(user === 'login' && value.end - at > 5 ? 'literal' : 'code', value);
  const isLast = value !== undefined && !/[^\r\n]/.test(text[value.end] ?? '');
  if (isPassword && isLast && lineStart.test(before)) return withSetting('code', value);
  const isWholeLine =
    lineStart.test(before) &&
    quoted !== undefined &&
    /^["'`][ \t\r]*(?:\n|$)/.test(text.slice(quoted.end, quoted.end + 16));
  return withSetting(isWholeLine ? 'quoted' : 'prose', quoted ?? readRun(text, at, 'code'));
}
