import {
  type AssignedValue,
  type RunKind,
  readAuthorization,
  readQuoted,
  readRun,
} from './credential-assigned-value.js';
import type { CredentialFinding } from './credential-span.js';
import type { JudgementMemory } from './judgement-cache.js';
import { colourBefore, placeInWhole, withoutColours } from './terminal-colours.js';

/** The words in a name that promise a secret. */
export const sensitiveWords: readonly string[] = [
  'pass',
  'pwd',
  'secret',
  'token',
  'auth',
  'bearer',
  'credential',
  'jwt',
  'key',
  'pat',
  'psk',
];
const sensitiveWord = new RegExp(sensitiveWords.join('|'), 'iy');

/** How far before its sensitive word a name may begin, and how far before the name the line is looked at. */
const maxNameChars = 64;
/** How far behind the start of its sensitive word a name may go on. */
const maxNameRest = 40;

/**
 * Between a name and its value: closing quote or bracket, type annotation, then a sign; or a `value` field, a comma, a
 * call, a column of a table, blanks, "is", "to".
 */
const separators = [
  /(?:\\{0,3}["'`])?\]?[ \t]{0,8}(?:[=!]==?|=>|:=|[=>]|:[ \t]{0,4}(?:&?[A-Za-z](?:[\w.<>|?]|\[(?!redacted)(?:[a-z]\w{0,12})?\]){0,32}[ \t]{0,4}=(?!=))?)[ \t]{0,8}(?:Some\()?(?=\S{6}|["'`]\S|[A-Za-z]{3,5}[ \t]\S{6})/,
  /\\{0,3}["'`][ \t]?,?[ \t]{0,4}\\{0,3}["'`]?value\\{0,3}["'`]?[ \t]?[:=][ \t]{0,4}/,
  /\\{0,3}["'`][ \t]?,[ \t]{0,4}(?=\\{0,3}["'`]\S{6})/,
  /\([ \t]?(?=["'`]\S{6})/,
  /(?::\*\*|\*\*:)[ \t]{1,4}(?=\S{6})/,
  /`?[ \t]{1,40}\|[ \t]{1,40}(?=\S{6})/,
  /[ \t]{1,8}(?:(?:is|was|to)[ \t]{1,4}(?:set to[ \t]{1,4})?)?(?=[^\s=:]\S{5})/,
];
const separator = new RegExp(separators.map(({ source }) => source).join('|'), 'iy');
const separatorStarts = new Set([...'\\"\'`] \t=!:>,(*\x1b\x9b'].map((character) => character.charCodeAt(0)));

/** The variables of a shell that hold folders, though their names speak of a password. */
const workingFolderName = /^(?:old)?pwd$/i;
const absolutePath = /^(?:~|[A-Za-z]:)?[\\/][^\\/\s]+[\\/]/;

/**
 * What an assignment is judged by beside its text: where the last credential ended, before which nothing is looked at,
 * and what was judged before.
 */
export interface AssignmentContext {
  readonly lookbackStart: number;
  readonly memory: JudgementMemory;
}

interface Name {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Judges a name with a sensitive word that begins at `start`, and gives the place of its value where that is a secret.
 * Colours between them do not count.
 */
export function findAssignment(text: string, start: number, context: AssignmentContext): CredentialFinding | undefined {
  const end = endOfName(text, start);
  // Most of what looks like such a name is followed by nothing that could be a value.
  if (!separatorStarts.has(text.charCodeAt(end))) return undefined;
  const part = withoutColours(text, end);
  if (part === undefined) return findPlainAssignment(text, start, end, context);
  const { from } = part;
  const inPart = { lookbackStart: Math.max(0, context.lookbackStart - from), memory: context.memory };
  const found = findPlainAssignment(part.text, start - from, end - from, inPart);
  return found && { ...found, start: placeInWhole(part, found.start), end: placeInWhole(part, found.end) };
}

function findPlainAssignment(
  text: string,
  start: number,
  end: number,
  context: AssignmentContext,
): CredentialFinding | undefined {
  separator.lastIndex = end;
  sensitiveWord.lastIndex = start;
  if (!separator.test(text) || !sensitiveWord.test(text)) return undefined;
  return findAssignedSecret(text, readName(text, start, end, context.lookbackStart), separator.lastIndex, context);
}

function endOfName(text: string, start: number): number {
  const limit = start + maxNameRest;
  let end = start;
  while (end < limit && isNameCharacter(text.charCodeAt(end))) end++;
  return end;
}

function findAssignedSecret(
  text: string,
  name: Name,
  at: number,
  context: AssignmentContext,
): CredentialFinding | undefined {
  const isBareKey = name.text.length === 3 && name.text.toLowerCase() === 'key';
  const style = context.memory.styleOf(
    isBareKey ? wordBefore(text, name, context.lookbackStart) + name.text : name.text,
  );
  if (style === undefined) return undefined;
  const value = readValue(text, at, name, context.lookbackStart);
  if (value === undefined || !context.memory.isSecret(text.slice(value.start, value.end), style, value.setting))
    return undefined;
  const { start, end, stop } = value;
  if (workingFolderName.test(name.text) && absolutePath.test(text.slice(start, end))) return undefined;
  return { kind: 'assignment', start, end, ...(stop !== undefined && { tail: { stop, hold: 0 } }) };
}

function readName(text: string, word: number, end: number, lookbackStart: number): Name {
  const least = Math.max(lookbackStart, word - maxNameChars);
  let start = word;
  while (start > least && isInName(text.charCodeAt(start - 1))) start--;
  start += colourBefore(text, start, word);
  return { start, end, text: text.slice(start, end) };
}

function isInName(code: number): boolean {
  return code === 46 || isNameCharacter(code);
}

function isNameCharacter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45
  );
}

/** The text of the line before a name, back to the last marker at the most. */
function lineBefore(text: string, name: Name, lookbackStart: number): string {
  const before = text.slice(Math.max(lookbackStart, name.start - maxNameChars), name.start);
  return before.slice(before.lastIndexOf(']') + 1);
}

/** The first word of a name in two words, such as "API key". */
function wordBefore(text: string, name: Name, lookbackStart: number): string {
  if (name.start === lookbackStart || text[name.start - 1] !== ' ') return '';
  return /[A-Za-z]{2,16} $/.exec(lineBefore(text, name, lookbackStart))?.[0] ?? '';
}

function readValue(text: string, at: number, name: Name, lookbackStart: number): AssignedValue | undefined {
  const between = text.slice(name.end, at);
  const first = between.charCodeAt(0);
  if ((first === 32 || first === 9) && !/[=:>|]/.test(between)) return readSpaced(text, at, name, lookbackStart);
  if (/authorization$/i.test(name.text)) return readAuthorization(text, at);
  const quoted = readQuoted(text, at);
  if (quoted === undefined && between.includes('|')) return inTable(readRun(text, at, 'code'));
  if (first === 40 || /,[ \t]*$/.test(between)) return quoted && { ...quoted, setting: 'prose' };
  return quoted ?? readRun(text, at, runKindOf(text, name, between, lookbackStart));
}

/** A cell of a table may hold a word of any sort. */
function inTable(value: AssignedValue | undefined): AssignedValue | undefined {
  return value && { ...value, setting: 'prose' };
}

/** What stands before the password in a connection string. */
const connectionString =
  /\b(?:server|host|database|source|catalog|user id|uid|user|account\w{0,12})=[^"'\n]{1,48};[ \t]?$/i;

function runKindOf(text: string, name: Name, between: string, lookbackStart: number): RunKind {
  const before = text[name.start - 1];
  if (before === '?' || before === '&') return 'query';
  if (between === '>') return 'element';
  if ((before === ';' || before === ' ') && connectionString.test(lineBefore(text, name, lookbackStart)))
    return 'header';
  if (between.startsWith(':') && /^X-|-(?:Key|Token)$/i.test(name.text)) return 'header';
  return between === '=' && (name.text.startsWith('--') || /^[A-Z][A-Z0-9_]{3,}$/.test(name.text)) ? 'literal' : 'code';
}

/**
 * A value behind blanks: of an option, of a `.netrc` entry, or in a sentence, where only what looks random is a secret.
 */
function readSpaced(text: string, at: number, name: Name, lookbackStart: number): AssignedValue | undefined {
  if (text[at] === '-') return undefined;
  if (name.text.startsWith('--')) return ofOption(readQuoted(text, at) ?? readRun(text, at, 'literal'));
  if (name.text === 'password' && /(?:login|user)[ \t]+\S+[ \t]+$/.test(lineBefore(text, name, lookbackStart)))
    return readRun(text, at, 'header');
  if (name.text === 'password' && /(?:^|\n)[ \t]*$/.test(lineBefore(text, name, lookbackStart)))
    return readLastWord(text, at);
  const value = readQuoted(text, at) ?? readRun(text, at, 'code');
  return value && { ...value, setting: 'prose' };
}

/** What follows an option in a sentence may be a word like any other. */
function ofOption(value: AssignedValue | undefined): AssignedValue | undefined {
  return value && { ...value, setting: 'quoted' };
}

/** The value of a line of two words, as `.netrc` files have them. */
function readLastWord(text: string, at: number): AssignedValue | undefined {
  const value = readRun(text, at, 'header');
  const next = value && text[value.end];
  return value && { ...value, setting: next === undefined || next === '\n' || next === '\r' ? 'quoted' : 'prose' };
}
