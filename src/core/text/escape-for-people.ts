import { domainToUnicode } from 'node:url';
import { parseAddress } from '../support/urls.js';

// Kept as text and compiled on use, because compiling Unicode classes is slow and would delay every import.
const blankOrHidden = String.raw`\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}\ufffc`;
// Characters that a reader cannot see or could confuse: controls, format and bidirectional marks, separators, fillers
// and blank letters, unassigned code points, lone surrogates, private use, unusual spaces, full-width and mathematical
// letters that look like ASCII.
const unusualSpacesAndLetters = String.raw`\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\uff01-\uff5e\u{1d400}-\u{1d7ff}`;
const deceptive = () => new RegExp(String.raw`[\p{Cc}${blankOrHidden}${unusualSpacesAndLetters}]`, 'gu');
const hidden = () => new RegExp(String.raw`[${blankOrHidden}]|[^\P{Cc}\n\r\t]`, 'u');
const word = () => /[\p{L}\p{M}\p{N}]+/gu;
const longBlank = / {9,}/g;
const plainText = /^[\t\n\r\x20-\x7e]*$/;
const plainLine = /^(?:[\x21-\x7e]| (?! {8}))*$/;

/**
 * Escapes a multi-line text for the person who approves: each deceptive character becomes `\u{…}`; line breaks and tabs
 * stay.
 */
export function escapeLines(text: string): string {
  if (plainText.test(text) && !text.includes('\r')) return text;
  return text
    .replaceAll('\r\n', '\n')
    .replace(deceptive(), (character) => (character === '\n' || character === '\t' ? character : spellOut(character)));
}

/**
 * Escapes a text as one line: like {@link escapeLines}, but escapes line breaks too, replaces long runs of spaces by
 * their count, and cuts the middle at `maxChars`.
 */
export function escapeLine(text: string, maxChars: number): string {
  if (text.length <= maxChars && plainLine.test(text)) return text;
  const line = text.replace(deceptive(), spellOut).replace(longBlank, (blanks) => ` [${blanks.length} blanks] `);
  if (line.length <= maxChars) return line;
  const head = Math.floor(maxChars / 2);
  return `${safeSlice(line, 0, head)} … ${safeSlice(line, line.length - (maxChars - head), line.length)}`;
}

/**
 * One sentence for each thing that a person could overlook in the texts of a value: hidden characters, letters of
 * several scripts in one word (homographs), addresses whose real host differs from the visible one.
 */
export function displayWarnings(value: unknown): readonly string[] {
  const suspect: string[] = [];
  collectSuspect(value, suspect);
  return suspect.length === 0
    ? none
    : [...warningsOf(suspect.join('\n')), ...addressWarnings(suspect.flatMap(addressesIn))];
}

const none: readonly string[] = Object.freeze([]);

function collectSuspect(value: unknown, suspect: string[]): void {
  if (typeof value === 'string') {
    if (!plainText.test(value) || /:[\\/]{2}/.test(value)) suspect.push(value);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, entry] of Object.entries(value)) {
      collectSuspect(key, suspect);
      collectSuspect(entry, suspect);
    }
  }
}

function warningsOf(text: string): string[] {
  const warnings: string[] = [];
  if (/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(text))
    warnings.push('The text contains marks that change the reading direction.');
  if (hidden().test(text)) warnings.push('The text contains hidden or control characters.');
  if (/[\uff01-\uff5e\u{1d400}-\u{1d7ff}]/u.test(text))
    warnings.push('The text contains letters that only look like ASCII letters.');
  const mixed = text.match(word())?.find(mixesScripts);
  if (mixed !== undefined) warnings.push(`A word mixes letters of several scripts: ${escapeLine(mixed, 60)}`);
  return warnings;
}

const maxAddressWarnings = 5;

/**
 * Warns of addresses that hide their real host with a user name, non-ASCII letters, line breaks or an unusual number
 * format, and of hosts with homographs.
 */
function addressWarnings(addresses: readonly string[]): string[] {
  const warnings = new Set<string>();
  for (const address of addresses) {
    const hostname = parseAddress(address)?.hostname;
    if (hostname === undefined) continue;
    const host = escapeLine(hostname, 100);
    const written = /^[^:]+:[\\/]+([^\\/?#]*)/.exec(address)?.[1] ?? '';
    if (written.replace(/:\d*$/, '').toLowerCase() !== hostname)
      warnings.add(`An address in the text leads to ${host}.`);
    else if (domainToUnicode(hostname).match(word())?.some(mixesScripts) === true)
      warnings.add(`The host of an address mixes letters of several scripts: ${host}`);
  }
  return [...warnings].slice(0, maxAddressWarnings);
}

function spellOut(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\r') return '\\r';
  if (character === '\t') return '\\t';
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

function mixesScripts(word: string): boolean {
  const scripts = [
    /\p{Script=Latin}/u,
    /\p{Script=Cyrillic}/u,
    /\p{Script=Greek}/u,
    /\p{Script=Armenian}/u,
    /\p{Script=Cherokee}/u,
  ];
  return scripts.filter((script) => script.test(word)).length > 1;
}

function safeSlice(text: string, start: number, end: number): string {
  return text.slice(start, end).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/u, '');
}

// URL parsers drop tabs and line breaks inside an address, which attackers use to hide a host. In quotes, or if the
// whole text is one address, the end of the address is clear. Elsewhere a line break or a tab ends the address, except
// a tab before `.` or `@`, which can only continue the host.
const whole = /^(?:https?|wss?|ftp):[\\/]{2}[^ "'`<>]*$/i;
const quoted = /(["'`])((?:https?|wss?|ftp):[\\/]{2}[^ "'`<>]*)\1/gi;
const running = /\b(?:https?|wss?|ftp):[\\/]{2}[^\s"'`<>]+(?:\t+[.@][^\s"'`<>]+)*/gi;
const beforeNext = /[\t\r\n]+(?=(?:https?|wss?|ftp):[\\/]{2})/i;

/** The web addresses in a text, as they are written: including the tabs and line breaks that URL parsers drop. */
export function addressesIn(text: string): readonly string[] {
  const trimmed = text.trim();
  const delimited = whole.test(trimmed)
    ? [trimmed]
    : Array.from(text.matchAll(quoted), ([, , address = '']) => address);
  const broken = delimited
    .filter((address) => /[\t\r\n]/.test(address))
    .map((address) => address.split(beforeNext, 1)[0] ?? address);
  return [...broken, ...(text.match(running) ?? [])];
}
