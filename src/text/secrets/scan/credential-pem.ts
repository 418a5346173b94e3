import { LinePrefix } from './credential-line-prefix.js';
import type { CredentialFinding, CredentialTail } from './credential-span.js';

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

/**
 * The sign of a line that a diff takes out, line numbers, as `cat -n` and `grep -n` write them, and indentation stay in
 * front of a line of a key.
 */
const linePrefix = /^(?:-(?!----[^-]))?(?:[ \t]*\d{1,9}\t|[^\s]{1,256}?[:-]\d{1,9}[:-])?[ \t]*/;
const body =
  /^(?:[>|+-]?[ \t]*["'`]?(?:[A-Za-z0-9+/=]|\\[nr/])*["'`]?[ \t]*[+,;\\)]*|(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset):[ \t][^\n]*)[ \t\r]*$/;
const footer = /-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/;

/** A key that stands on one line goes on up to its footer, or to the first character that no key holds. */
const inlineTail: CredentialTail = {
  stop: /(?<=-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----)|[^A-Za-z0-9+/=\\ \t:,._-]/g,
  hold: 0,
};

/**
 * Judges a private key's header: the start of a block of lines, a key on one line, or only a mention of the header
 * (`undefined`).
 */
export function findPrivateKey(text: string, start: number, end: number): CredentialFinding | undefined {
  const linePrefix = LinePrefix.before(text, start);
  const header = {
    kind: 'private-key',
    start,
    end,
    opens: 'key',
    ...(linePrefix !== undefined && { linePrefix }),
  } as const;
  const rest = /^[^\n]*/.exec(text.slice(end, end + 128))?.[0] ?? '';
  if (/^(?:(?:\\{1,2}[nr])+["'`]?[ \t]*[+,\\]?|["'`]?[ \t]*[+,\\])?[ \t\r]*$/.test(rest)) return header;
  if (/^(?:(?:\\{1,2}[nr])+[A-Za-z0-9+/=]|[ \t]*[A-Za-z0-9+/=]{16})/.test(rest)) return { ...header, tail: inlineTail };
  return undefined;
}

/**
 * Where a key begins between `start` and `end`, else `end`: the value before it ends there, or the lines of the key would
 * be taken for text.
 */
export function startOfKey(text: string, start: number, end: number): number {
  const header = text.slice(start, end).indexOf('-----BEGIN');
  if (header < 0) return end;
  privateKeyHeader.lastIndex = start + header;
  const found = privateKeyHeader.exec(text);
  const isKey = found !== null && findPrivateKey(text, start + header, privateKeyHeader.lastIndex) !== undefined;
  return isKey ? start + header : end;
}

/** A line of an open key block. */
export interface PemLine {
  /** Where the line is withheld; the same number twice for an empty one. */
  readonly start: number;
  readonly end: number;
  /** Whether this line ends the block. */
  readonly closes: boolean;
}

/**
 * Judges the line at `start` of an open block, of which `opening` stood before the first line; `undefined` where the
 * line is no part of a key.
 */
export function readPemLine(text: string, start: number, opening?: LinePrefix): PemLine | undefined {
  const line = /^[^\n]*/.exec(text.slice(start, start + maxLineChars))?.[0] ?? '';
  const usual = linePrefix.exec(line)?.[0].length ?? 0;
  const same = opening?.lengthIn(line);
  const end = footer.exec(line);
  if (end !== null)
    return { start: start + Math.min(same ?? usual, end.index), end: start + end.index + end[0].length, closes: true };
  if (line.length === maxLineChars) return undefined;
  const prefix = [usual, same].find((length) => length !== undefined && body.test(line.slice(length)));
  return prefix === undefined
    ? undefined
    : { start: start + prefix, end: start + Math.max(prefix, line.trimEnd().length), closes: false };
}
