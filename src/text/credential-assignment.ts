import { secretStyleOf } from './credential-key.js';
import type { CredentialFinding } from './credential-span.js';
import { isSecretValue, looksRandom, type SecretStyle, type ValueSetting } from './secret-value.js';

/** The longest quoted value that is judged; a longer one counts as unquoted. */
const maxQuotedChars = 1024;
/** How much of an unquoted value is judged; the rest of its run follows the verdict. */
const maxJudgedChars = 512;
/** How far before its sensitive word a name may begin, and how far before the name the line is looked at. */
export const maxNameChars = 64;

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

const opening = /(?:[bBrRuUfF]{1,2}|[@$])?(\\{0,3})(["'`])/y;
const runs = {
  code: /(?:[^\s"'`,;(){}[\]<>|&\\=]|&(?!&|[\w.-]{0,64}=)){1,512}(?:={1,3}(?![\w=]))?/y,
  literal: /[^\s"'`<>;=]{1,512}(?:=+[^\s"'`<>;=]{0,512})?/y,
  query: /[^\s"'`<>&#;\\]{1,512}/y,
  header: /[^\s"'`,;\\]{1,512}/y,
  element: /[^<>\s]{1,512}(?=<\/)/y,
} as const;
const runStops = {
  code: /[\s"'`,;(){}[\]<>|&\\]/g,
  literal: /[\s"'`<>;]/g,
  query: /[\s"'`<>&#;\\]/g,
  header: /[\s"'`,;\\]/g,
  element: /[<>\s]/g,
} as const;
/** The first word of a name in two words, such as "API key". */
const wordBefore = /[A-Za-z]{2,16} $/;
/** What stands before the password in a connection string. */
const connectionString = /\b(?:server|host|database|source|catalog|user id|uid|user|account\w{0,12})=[^"'\n]{1,48};[ \t]?$/i;
const authScheme = /[A-Za-z][A-Za-z-]{2,16}[ \t]{1,4}(?=\S)/y;

interface Name {
  readonly text: string;
  readonly style: SecretStyle;
  /** The text of the line before the name, as far as it matters. */
  readonly before: string;
}

interface Value {
  readonly start: number;
  readonly end: number;
  readonly setting: ValueSetting;
  readonly runStop?: RegExp;
}

/**
 * Judges a name with a sensitive word that is followed by something like a value, and gives the value's place where it is a secret.
 * `start` is where the sensitive word begins, `at` where the value should; nothing before `floor` is looked at.
 */
export function findAssignedSecret(text: string, start: number, at: number, floor: number): CredentialFinding | undefined {
  const nameEnd = endOfName(text, start);
  const name = readName(text, start, nameEnd, floor);
  if (name === undefined) return undefined;
  const value = readValue(text, at, name, text.slice(nameEnd, at));
  if (value === undefined || value.end <= value.start) return undefined;
  if (!isSecretValue(text.slice(value.start, Math.min(value.end, value.start + maxQuotedChars)), name.style, value.setting))
    return undefined;
  const { start: valueStart, end, runStop } = value;
  return { kind: 'assignment', start: valueStart, end, ...(runStop !== undefined && { tail: { stop: runStop, hold: 0 } }) };
}

function readName(text: string, start: number, end: number, floor: number): Name | undefined {
  const nameStart = startOfName(text, start, Math.max(floor, start - maxNameChars));
  const before = text.slice(Math.max(floor, nameStart - maxNameChars), nameStart).replace(/^.*\]/, '');
  const name = text.slice(nameStart, end);
  const style = secretStyleOf(/^key$/i.test(name) ? `${wordBefore.exec(before)?.[0] ?? ''}${name}` : name);
  return style === undefined ? undefined : { text: name, style, before };
}

function startOfName(text: string, from: number, least: number): number {
  let start = from;
  while (start > least && isNameCharacter(text.charCodeAt(start - 1))) start--;
  return start;
}

function isNameCharacter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95 || code === 45 || code === 46
  );
}

function endOfName(text: string, from: number): number {
  let end = from;
  while (isNameCharacter(text.charCodeAt(end))) end++;
  return end;
}

function readValue(text: string, at: number, name: Name, separator: string): Value | undefined {
  if (/^[ \t]/.test(separator) && !/[=:>]/.test(separator)) return readSpaced(text, at, name);
  const quoted = readQuoted(text, at);
  if (/^\(|,[ \t]*$/.test(separator)) return quoted && { ...quoted, setting: 'prose' };
  if (/authorization$/i.test(name.text)) return readHeader(text, quoted?.start ?? at);
  if (quoted !== undefined) return quoted;
  return readRun(text, at, runKindOf(name, separator));
}

function readQuoted(text: string, at: number): Value | undefined {
  opening.lastIndex = at;
  const found = opening.exec(text);
  if (found === null) return undefined;
  const [whole, escapes = '', quote = ''] = found;
  const start = at + whole.length;
  const limit = Math.min(text.length, start + maxQuotedChars);
  for (let index = start; index < limit; index++) {
    const character = text[index];
    if (character === '\n') break;
    if (character === quote) return { start, end: index - (escapes === '' ? 0 : trailingEscapes(text, start, index)), setting: 'quoted' };
    if (character === '\\' && escapes === '' && text[index + 1] !== '\n') index++;
  }
  return readRun(text, start, 'code');
}

function trailingEscapes(text: string, start: number, end: number): number {
  let count = 0;
  while (end - count > start && text[end - count - 1] === '\\') count++;
  return count;
}

type RunKind = keyof typeof runs;

function runKindOf(name: Name, separator: string): RunKind {
  if (/[?&]$/.test(name.before)) return 'query';
  if (separator === '>') return 'element';
  if (connectionString.test(name.before)) return 'header';
  if (/^X-|-Key$|-Token$/i.test(name.text) && /^:/.test(separator)) return 'header';
  return separator === '=' && (/^[A-Z][A-Z0-9_]{3,}$/.test(name.text) || /--?$/.test(name.text.slice(0, 2))) ? 'literal' : 'code';
}

function readRun(text: string, start: number, kind: RunKind): Value | undefined {
  const run = runs[kind];
  run.lastIndex = start;
  const found = run.exec(text)?.[0];
  if (found === undefined) return undefined;
  const goesOn = found.length >= maxJudgedChars || text[start + found.length] === '=';
  const end = start + (kind === 'code' && !goesOn ? found.replace(/[.:?]+$/, '').length : found.length);
  if (kind === 'code' && /[([{\\]/.test(text[start + found.length] ?? '')) return undefined;
  const value = { start, end, setting: kind === 'code' ? 'code' : 'literal' } as const;
  return goesOn ? { ...value, runStop: runStops[kind] } : value;
}

function readSpaced(text: string, at: number, name: Name): Value | undefined {
  if (text[at] === '-') return undefined;
  if (name.text.startsWith('--')) return readQuoted(text, at) ?? readRun(text, at, 'literal');
  if (/(?:login|user)[ \t]+\S+[ \t]+$/.test(name.before)) return readRun(text, at, 'header');
  const value = readQuoted(text, at) ?? readRun(text, at, 'code');
  return value && { ...value, setting: 'prose' };
}

function readHeader(text: string, at: number): Value | undefined {
  authScheme.lastIndex = at;
  const word = authScheme.exec(text)?.[0] ?? '';
  const scheme = looksRandom(word.trim()) ? '' : word;
  const value = readRun(text, at + scheme.length, 'header');
  return value && { ...value, setting: scheme === '' ? 'code' : value.setting };
}
