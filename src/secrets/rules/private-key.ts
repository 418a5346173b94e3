import { escapedForRegex } from '../../core/text/regex-escape.js';
import { linePrefix, withBlankColours } from './line-decoration.js';
import { endOfRun, formRule, type PartReader } from './rule.js';

/** A longer prefix does not come from a tool. */
const maxPrefixChars = 200;
/** The number of characters of a line that decide whether the line belongs to a key. */
const maxLineChars = 1024;

/** The first line of a private key in PEM form (RFC 7468) or in OpenPGP armour. */
const header = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/y;
const footer = /-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/;

const usualPrefix = new RegExp(`^[ \\t]*${linePrefix}[ \\t]*`);
const body =
  /^(?:[>|+-]?[ \t]*["'`]?(?:[A-Za-z0-9+/=]|\\[nr/])*["'`]?[ \t]*[+,;\\)]*|(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset):[ \t][^\n]*)[ \t\r]*$/;

/** A key on one line ends at its footer, or at the first character that no key contains. */
const inlineStop = /(?<=-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----)|[^A-Za-z0-9+/=\\ \t:,._-]/g;

/**
 * Finds the header of a private key. The header starts a block of lines, or a key on one line. A header that a text
 * only mentions is ignored.
 */
export const privateKeyRule = formRule({ heads: ['-----BEGIN '] }, header, ({ text, start, end }) => {
  const after = opens(text, end);
  if (after === undefined) return undefined;
  if (after === 'line') return { kind: 'private-key', start, end: endOfRun(text, end, inlineStop) };
  return { kind: 'private-key', start, end, opens: keyLines(prefixForm(text, start)) };
});

/** Finds the field `Private-Lines` of a PuTTY key file and hides the lines after it. */
export const puttyKeyRule = formRule(
  { heads: ['Private-Lines: '] },
  /Private-Lines: [0-9]{1,4}(?=[ \t\r]*\n)/y,
  ({ end }) => ({ kind: 'private-key', start: end, end, opens: keyLines(undefined) }),
);

/**
 * The start of a key between `start` and `end`, or else `end`. A value before the key must end there: if it included
 * the header, the key lines would be shown as text.
 */
export function startOfKey(text: string, start: number, end: number): number {
  const at = text.slice(start, end).indexOf('-----BEGIN');
  if (at < 0) return end;
  header.lastIndex = start + at;
  return header.test(text) && opens(text, header.lastIndex) !== undefined ? start + at : end;
}

function opens(text: string, end: number): 'lines' | 'line' | undefined {
  const rest = withBlankColours(/^[^\n]*/.exec(text.slice(end, end + 128))?.[0] ?? '');
  if (/^(?:(?:\\{1,2}[nr])+["'`]?[ \t]*[+,\\]?|["'`]?[ \t]*[+,\\])?[ \t\r]*$/.test(rest)) return 'lines';
  return /^(?:(?:\\{1,2}[nr])+[A-Za-z0-9+/=]|[ \t]*[A-Za-z0-9+/=]{16})/.test(rest) ? 'line' : undefined;
}

/**
 * Reads the lines of a key up to its footer or to a line that is not base64; `prefix` matches the prefix of the
 * header's line.
 */
function keyLines(prefix: RegExp | undefined): PartReader {
  let isClosed = false;
  return (text, at) => {
    if (isClosed) return undefined;
    const lineBreak = text.indexOf('\n', at);
    const end = lineBreak < 0 ? text.length : lineBreak + 1;
    // The rest of the header's line, or of a line that arrived in pieces.
    if (text[at - 1] !== '\n') return { end };
    const line = text.slice(at, Math.min(end, at + maxLineChars)).replace(/\n$/, '');
    const plain = withBlankColours(line);
    const same = prefix?.exec(line)?.[0].length;
    const usual = usualPrefix.exec(plain)?.[0].length ?? 0;
    const closing = footer.exec(plain);
    if (closing !== null) isClosed = true;
    else if (line.length === maxLineChars) return undefined;
    const length =
      closing === null
        ? [usual, same].find((each) => each !== undefined && body.test(plain.slice(each)))
        : Math.min(same ?? usual, closing.index);
    if (length === undefined) return undefined;
    const last = closing === null ? plain.trimEnd().length : closing.index + closing[0].length;
    return last > length ? { end, secret: { kind: 'private-key', start: at + length, end: at + last } } : { end };
  };
}

/**
 * A regular expression for the prefix of the line before `at`, such as a line number, a file name, a time or a comment
 * sign. Numbers in the prefix may differ. Undefined if the prefix is too long or contains a mark.
 */
function prefixForm(text: string, at: number): RegExp | undefined {
  const from = Math.max(0, at - maxPrefixChars);
  const lineBreak = text.slice(from, at).lastIndexOf('\n');
  const prefix = text.slice(from + lineBreak + 1, at);
  if ((lineBreak < 0 && from > 0) || prefix.includes('[REDACTED')) return undefined;
  return new RegExp(`^[ \\t]*${prefix.trimStart().replace(/\d+|[ \t]+|[\s\S]/g, formOf)}`);
}

function formOf(part: string): string {
  if (/^\d/.test(part)) return '\\d+';
  if (/^[ \t]/.test(part)) return '[ \\t]+';
  // `grep -n` writes `:` in matching lines and `-` in context lines.
  if (part === ':' || part === '-') return '[:-]';
  return escapedForRegex(part);
}
