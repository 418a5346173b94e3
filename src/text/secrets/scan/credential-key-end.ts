import { LinePrefix } from './credential-line-prefix.js';
import type { CredentialFinding, TextSpan } from './credential-span.js';
import { looksRandom } from './secret-randomness.js';

/** The line that closes a private key. */
export const privateKeyFooter = /-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/y;

/**
 * How far before its last line a key of which the first line is missing is followed; longer than the largest keys in
 * use.
 */
export const maxCutChars = 16_384;
/** The same where it stands on one line; no more of a line is ever looked back at. */
const maxInlineChars = 4_096;
const maxLineChars = 1024;
const minRandomChars = 16;
const minFullLineChars = 40;
/** The last line of the body may be short, and so may a checksum behind it. */
const maxShortLines = 2;
const suffix = '(?:\\\\{1,4}[nr])*["\'`]?[ \\t]*[+,;\\\\)]*[ \\t]*\\r?$';
const bareBody = new RegExp(`^([A-Za-z0-9+/=]+)${suffix}`);
const lastLetters = new RegExp(`(?<![A-Za-z0-9+/=])([A-Za-z0-9+/=]+)${suffix}`);

/**
 * Judges a private key's footer that stands outside of a key: the lines above it, or what stands before it on its line,
 * where that is the end of a key that was cut off at the top.
 */
export function findKeyFooter(
  text: string,
  start: number,
  end: number,
  { lookbackStart }: { readonly lookbackStart: number },
): CredentialFinding | undefined {
  const inline = startOfInlineKey(text, start, lookbackStart);
  if (inline < start) return { kind: 'private-key', start, end, before: [{ start: inline, end: start }] };
  const lineStart = startOfLine(text, start);
  const prefix = LinePrefix.before(text, start);
  if (lineStart === undefined || prefix === undefined || !isBorder(text, start, lineStart)) return undefined;
  const lines = keyLinesAbove(text, lineStart, lookbackStart, prefix);
  return lines.length === 0 ? undefined : { kind: 'private-key', start, end, before: lines };
}

/**
 * Where the lines begin that may be the end of a key and stand right above `lineStart`, from `lookbackStart` on;
 * `lineStart` itself where there are none.
 */
export function startOfKeyLines(text: string, lineStart: number, lookbackStart: number): number {
  const first = keyLinesAbove(text, lineStart, lookbackStart)[0];
  return first === undefined ? lineStart : (startOfLine(text, first.start) ?? first.start);
}

/**
 * The letters of the lines above, from the top; `prefix` stands in front of each, or anything where it is not known.
 */
function keyLinesAbove(
  text: string,
  lineStart: number,
  lookbackStart: number,
  prefix?: LinePrefix,
): readonly TextSpan[] {
  const least = Math.max(lookbackStart, lineStart - maxCutChars);
  const lines: TextSpan[] = [];
  let count = 0;
  let shortLines = 0;
  for (let start = lineStart; start > least; ) {
    const above = startOfLine(text, start - 1);
    if (above === undefined || above < least) break;
    const line = text.slice(above, start - 1);
    const letters = lettersOf(line, prefix);
    if (letters === undefined) break;
    const isKeyText = looksLikeKey(line.slice(letters.start, letters.end));
    if (!isKeyText && ++shortLines > maxShortLines) break;
    lines.unshift({ start: above + letters.start, end: above + letters.end });
    if (isKeyText) {
      count = lines.length;
      shortLines = maxShortLines;
    }
    start = above;
  }
  return count === 0 ? [] : lines.slice(lines.length - count);
}

function lettersOf(line: string, prefix: LinePrefix | undefined): TextSpan | undefined {
  if (prefix === undefined) {
    const letters = spanOf(lastLetters.exec(line), 0);
    return letters !== undefined && isBorder(line, letters.start, 0) ? letters : undefined;
  }
  const length = prefix.lengthIn(line);
  return length === undefined ? undefined : spanOf(bareBody.exec(line.slice(length)), length);
}

function spanOf(match: RegExpExecArray | null, offset: number): TextSpan | undefined {
  if (match === null) return undefined;
  const start = offset + match.index;
  return { start, end: start + (match[1] ?? '').length };
}

/** Whether a line of a key may begin at `at`, behind whatever tools put before it. */
function isBorder(text: string, at: number, lineStart: number): boolean {
  return at === lineStart || /[\s:"'`<>|#*;,+\-\])}→│┃]/.test(text[at - 1] ?? '');
}

/** A number in hexadecimal is a hash of something. */
function looksLikeKey(letters: string): boolean {
  if (/^(?:[\da-f]+|[\dA-F]+)$/.test(letters)) return false;
  return letters.length >= minFullLineChars || (letters.length >= minRandomChars && looksRandom(letters));
}

/**
 * Where what may be the end of a key begins that stands right before `end` on its line, its line breaks written as
 * escapes, as blanks or not at all; `end` itself where there is none.
 */
export function startOfInlineKey(text: string, end: number, lookbackStart: number): number {
  const least = Math.max(lookbackStart, end - maxInlineChars);
  let first = end;
  let shortParts = 0;
  for (let at = end; at > least; ) {
    const partEnd = beforeGap(text, at, least);
    const partStart = beforeLetters(text, partEnd, least);
    if (partStart === partEnd || (at < end && partEnd === at)) break;
    const isKeyText = looksLikeKey(text.slice(partStart, partEnd));
    if (!isKeyText && ++shortParts > maxShortLines) break;
    if (isKeyText) {
      first = partStart;
      shortParts = maxShortLines;
    }
    at = partStart;
  }
  return first;
}

/** Passes blanks and written line breaks backwards. */
function beforeGap(text: string, end: number, least: number): number {
  let at = end;
  for (;;) {
    const from = at;
    while (at > least && (text[at - 1] === ' ' || text[at - 1] === '\t')) at--;
    if (at - 1 > least && isEscapedBreak(text, at)) {
      at--;
      while (at > least && text[at - 1] === '\\') at--;
    }
    if (at === from) return at;
  }
}

function beforeLetters(text: string, end: number, least: number): number {
  let at = end;
  while (at > least && isKeyLetter(text.charCodeAt(at - 1)) && !isEscapedBreak(text, at)) at--;
  return at;
}

function isEscapedBreak(text: string, end: number): boolean {
  return text[end - 2] === '\\' && (text[end - 1] === 'n' || text[end - 1] === 'r');
}

function isKeyLetter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 47 && code <= 57) ||
    code === 43 ||
    code === 61
  );
}

/** Where the line begins that `at` stands in; undefined for a line too long to belong to a key. */
function startOfLine(text: string, at: number): number | undefined {
  const from = Math.max(0, at - maxLineChars);
  const lineBreak = text.slice(from, at).lastIndexOf('\n');
  if (lineBreak < 0 && from > 0) return undefined;
  return from + lineBreak + 1;
}
