import type { CredentialFinding, CredentialTail, TextSpan } from './credential-span.js';
import { looksRandom } from './secret-randomness.js';

/** The line above the secret lines of a key file of PuTTY. */
export const puttyHeader = /Private-Lines: [0-9]{1,4}(?=[ \t\r]*\n)/y;

/** What follows such a header are the lines of a key. */
export function findPuttyKey(_text: string, _start: number, end: number): CredentialFinding {
  return { kind: 'private-key', start: end, end, opens: 'key' };
}

/** How much of a line decides whether it belongs to a key. */
const maxLineChars = 1024;

/** The line that opens a private key in PEM form (RFC 7468) or an armoured OpenPGP one. */
export const privateKeyHeader = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/y;

/** The sign of a line that a diff takes out, line numbers, as `cat -n` and `grep -n` write them, and indentation stay in front of a line of a key. */
const linePrefix = /^(?:-(?!----[^-]))?(?:[ \t]*\d{1,9}\t|[^\s]{1,256}?[:-]\d{1,9}[:-])?[ \t]*/;
const body =
  /^(?:[>|+-]?[ \t]*["'`]?(?:[A-Za-z0-9+/=]|\\[nr/])*["'`]?[ \t]*[+,;\\)]*|(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset):[ \t][^\n]*)[ \t\r]*$/;
const footer = /-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/;

/** A key that stands on one line goes on up to its footer, or to the first character that no key holds. */
const inlineTail: CredentialTail = {
  stop: /(?<=-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----)|[^A-Za-z0-9+/=\\ \t:,._-]/g,
  hold: 0,
};

/** Judges a private key's header: the start of a block of lines, a key on one line, or only a mention of the header (`undefined`). */
export function findPrivateKey(text: string, start: number, end: number): CredentialFinding | undefined {
  const header = { kind: 'private-key', start, end, opens: 'key' } as const;
  const rest = /^[^\n]*/.exec(text.slice(end, end + 128))?.[0] ?? '';
  if (/^(?:(?:\\{1,2}[nr])+["'`]?[ \t]*[+,\\]?|["'`]?[ \t]*[+,\\])?[ \t\r]*$/.test(rest)) return header;
  if (/^(?:(?:\\{1,2}[nr])+[A-Za-z0-9+/=]|[ \t]*[A-Za-z0-9+/=]{16})/.test(rest)) return { ...header, tail: inlineTail };
  return undefined;
}

/** A line of an open key block. */
export interface PemLine {
  /** Where the line is withheld; the same number twice for an empty one. */
  readonly start: number;
  readonly end: number;
  /** Whether this line ends the block. */
  readonly closes: boolean;
}

/** Judges the line at `start` of an open block; `undefined` where the line is no part of a key. */
export function readPemLine(text: string, start: number): PemLine | undefined {
  const line = /^[^\n]*/.exec(text.slice(start, start + maxLineChars))?.[0] ?? '';
  const prefix = linePrefix.exec(line)?.[0].length ?? 0;
  const end = footer.exec(line);
  if (end !== null) return { start: start + prefix, end: start + end.index + end[0].length, closes: true };
  if (line.length === maxLineChars || !body.test(line.slice(prefix))) return undefined;
  return { start: start + prefix, end: start + Math.max(prefix, line.trimEnd().length), closes: false };
}

/** The line that closes a private key. */
export const privateKeyFooter = /-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/y;

/** How far before its last line a key of which the first line is missing is followed. */
const maxCutChars = 8_192;
const minTellingChars = 16;
const minFullLineChars = 40;
/** The last line of the body may be short, and so may a checksum behind it. */
const maxShortLines = 2;
const bareBody = /^["'`]?([A-Za-z0-9+/=]+)(?:\\n)?["'`]?[+,;\\)]*\r?$/;

/** Judges a private key's footer that stands outside of a key: the lines above it, where they are the end of one that was cut off at the top. */
export function findKeyFooter(
  text: string,
  start: number,
  end: number,
  { floor }: { readonly floor: number },
): CredentialFinding | undefined {
  const lineStart = startOfLine(text, start);
  if (lineStart === undefined || linePrefix.exec(text.slice(lineStart, start))?.[0].length !== start - lineStart) return undefined;
  const first = startOfKeyLines(text, lineStart, floor);
  if (first === lineStart) return undefined;
  const lines: TextSpan[] = [];
  for (let line = first; line < lineStart; line = text.indexOf('\n', line) + 1) {
    const whole = text.slice(line, text.indexOf('\n', line)).trimEnd();
    const prefix = linePrefix.exec(whole)?.[0].length ?? 0;
    lines.push({ start: line + prefix, end: line + whole.length });
  }
  return { kind: 'private-key', start, end, before: lines };
}

/** Where the lines begin that may be the end of a key and stand right above `lineStart`; `lineStart` itself where there are none. */
export function startOfKeyLines(text: string, lineStart: number, floor: number): number {
  const least = Math.max(floor, lineStart - maxCutChars);
  let first = lineStart;
  let shortLines = 0;
  for (let start = lineStart; start > least; ) {
    const above = startOfLine(text, start - 1);
    const line = above === undefined || above < least ? '' : text.slice(above, start - 1);
    const [, letters = ''] = bareBody.exec(line.slice(linePrefix.exec(line)?.[0].length ?? 0)) ?? [];
    const isTelling = letters.length >= minFullLineChars || (letters.length >= minTellingChars && looksRandom(letters));
    if (letters === '' || (!isTelling && ++shortLines > maxShortLines)) break;
    start = above ?? least;
    if (isTelling) first = start;
    if (isTelling) shortLines = maxShortLines;
  }
  return first;
}

/** Where the line begins that `at` stands in; undefined for a line too long to belong to a key. */
function startOfLine(text: string, at: number): number | undefined {
  const from = Math.max(0, at - maxLineChars);
  const lineBreak = text.slice(from, at).lastIndexOf('\n');
  if (lineBreak < 0 && from > 0) return undefined;
  return from + lineBreak + 1;
}
