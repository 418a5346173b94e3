import { type AssignedValue, type RunKind, readAuthorization, readQuoted, readRun } from './credential-assigned-value.js';
import type { CredentialFinding } from './credential-span.js';
import { isSecretValue, type SecretStyle } from './secret-value.js';

/** How far before its sensitive word a name may begin, and how far before the name the line is looked at. */
const maxNameChars = 64;

/** Between a name and its value: closing quote or bracket, type annotation, then a sign; or a `value` field, a comma, a call, blanks, "is". */
const separators = [
  /(?:\\{0,3}["'`])?\]?[ \t]{0,8}(?:[=!]==?|=>|:=|[=>]|:[ \t]{0,4}(?:&?[A-Za-z](?:[\w.<>|?]|\[(?!redacted)(?:[a-z]\w{0,12})?\]){0,32}[ \t]{0,4}=(?!=))?)[ \t]{0,8}(?=\S{6}|["'`]\S|[A-Za-z]{3,5}[ \t]\S{6})/,
  /\\{0,3}["'`][ \t]?,?[ \t]{0,4}\\{0,3}["'`]?value\\{0,3}["'`]?[ \t]?[:=][ \t]{0,4}/,
  /\\{0,3}["'`][ \t]?,[ \t]{0,4}(?=\\{0,3}["'`]\S{6})/,
  /\([ \t]?(?=["'`]\S{6})/,
  /[ \t]{1,8}(?:is[ \t]{1,4}(?:set to[ \t]{1,4})?)?(?=[^\s=:]\S{5})/,
];

/** A name that holds one of the sensitive words, from that word on, up to where its value should begin. */
export function assignmentForm(words: readonly string[]): RegExp {
  return new RegExp(`(?:${words.join('|')})[A-Za-z0-9_-]{0,32}(?:${separators.map(({ source }) => source).join('|')})`, 'iy');
}

/** What an assignment is judged by beside its text: where the last credential ended, before which nothing is looked at, and what names promise. */
export interface AssignmentContext {
  readonly floor: number;
  styleOf(name: string): SecretStyle | undefined;
}

interface Name {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Judges a name with a sensitive word that is followed by something like a value, and gives the value's place where it is a secret.
 * `start` is where the sensitive word begins, `at` where the value should.
 */
export function findAssignedSecret(text: string, start: number, at: number, context: AssignmentContext): CredentialFinding | undefined {
  const name = readName(text, start, context.floor);
  const style = context.styleOf(/^key$/i.test(name.text) ? wordBefore(text, name, context.floor) + name.text : name.text);
  if (style === undefined) return undefined;
  const value = readValue(text, at, name, context.floor);
  if (value === undefined || !isSecretValue(text.slice(value.start, value.end), style, value.setting)) return undefined;
  const { start: valueStart, end, stop } = value;
  return { kind: 'assignment', start: valueStart, end, ...(stop !== undefined && { tail: { stop, hold: 0 } }) };
}

function readName(text: string, word: number, floor: number): Name {
  const least = Math.max(floor, word - maxNameChars);
  let start = word;
  while (start > least && isNameCharacter(text.charCodeAt(start - 1))) start--;
  let end = word;
  while (isNameCharacter(text.charCodeAt(end))) end++;
  return { start, end, text: text.slice(start, end) };
}

function isNameCharacter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95 || code === 45 || code === 46
  );
}

/** The text of the line before a name, back to the last marker at the most. */
function lineBefore(text: string, name: Name, floor: number): string {
  const before = text.slice(Math.max(floor, name.start - maxNameChars), name.start);
  return before.slice(before.lastIndexOf(']') + 1);
}

/** The first word of a name in two words, such as "API key". */
function wordBefore(text: string, name: Name, floor: number): string {
  return /[A-Za-z]{2,16} $/.exec(lineBefore(text, name, floor))?.[0] ?? '';
}

function readValue(text: string, at: number, name: Name, floor: number): AssignedValue | undefined {
  const separator = text.slice(name.end, at);
  if (/^[ \t]/.test(separator) && !/[=:>]/.test(separator)) return readSpaced(text, at, name, floor);
  if (/authorization$/i.test(name.text)) return readAuthorization(text, at);
  const quoted = readQuoted(text, at);
  if (/^\(|,[ \t]*$/.test(separator)) return quoted && { ...quoted, setting: 'prose' };
  return quoted ?? readRun(text, at, runKindOf(text, name, separator, floor));
}

/** What stands before the password in a connection string. */
const connectionString = /\b(?:server|host|database|source|catalog|user id|uid|user|account\w{0,12})=[^"'\n]{1,48};[ \t]?$/i;

function runKindOf(text: string, name: Name, separator: string, floor: number): RunKind {
  const before = text[name.start - 1];
  if (before === '?' || before === '&') return 'query';
  if (separator === '>') return 'element';
  if ((before === ';' || before === ' ') && connectionString.test(lineBefore(text, name, floor))) return 'header';
  if (separator.startsWith(':') && /^X-|-(?:Key|Token)$/i.test(name.text)) return 'header';
  return separator === '=' && (name.text.startsWith('--') || /^[A-Z][A-Z0-9_]{3,}$/.test(name.text)) ? 'literal' : 'code';
}

/** A value behind blanks: of an option, of a `.netrc` entry, or in a sentence, where only what looks random is a secret. */
function readSpaced(text: string, at: number, name: Name, floor: number): AssignedValue | undefined {
  if (text[at] === '-') return undefined;
  if (name.text.startsWith('--')) return readQuoted(text, at) ?? readRun(text, at, 'literal');
  if (name.text === 'password' && /(?:login|user)[ \t]+\S+[ \t]+$/.test(lineBefore(text, name, floor))) return readRun(text, at, 'header');
  if (name.text === 'password' && /(?:^|\n)[ \t]*$/.test(lineBefore(text, name, floor))) return readLastWord(text, at);
  const value = readQuoted(text, at) ?? readRun(text, at, 'code');
  return value && { ...value, setting: 'prose' };
}

/** The value of a line of two words, as `.netrc` files have them. */
function readLastWord(text: string, at: number): AssignedValue | undefined {
  const value = readRun(text, at, 'header');
  const next = value && text[value.end];
  return value && { ...value, setting: next === undefined || next === '\n' || next === '\r' ? 'quoted' : 'prose' };
}
