import { looksRandom } from '../../core/text/looks-random.js';
import { withBlankColours } from './line-decoration.js';
import { formRule, type TextSpan } from './rule.js';

/** The maximum length of the key lines above a footer without a header; the largest keys in use are shorter. */
const maxCutChars = 16_384;
/**
 * The maximum length of a key line with the prefix of a tool. A stream keeps more than this many characters of the text
 * that it has released, so the whole line can still be read.
 */
const maxLineChars = 200;
/** The maximum number of short lines above a footer: the last line of the body, and the checksum after it. */
const maxShortLines = 2;
/** The last base64 letters of a line, after the prefix of a tool. */
const lastLetters = /(?:^|[\s:"'`<>|#*;,+\-\])}→│┃])([A-Za-z0-9+/=]+)(?:\\{1,4}[nr])*["'`]?[ \t]*[+,;\\)]*[ \t]*\r?$/;

/** Finds the footer of a private key whose header is missing, and hides the key lines above the footer too. */
export const keyEndRule = formRule(
  { heads: ['-----END '] },
  /-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/y,
  ({ text, start, end, lookbackStart }) => {
    const lineStart = startOfLine(text, start, lookbackStart);
    const before = lineStart === undefined ? [] : keyLinesAbove(text, lineStart, lookbackStart);
    return before.length === 0 ? undefined : { kind: 'private-key', start, end, before };
  },
);

/**
 * The base64 letters of the lines directly above `lineStart` that may be the end of a key, from top to bottom; none
 * before `least`.
 */
export function keyLinesAbove(text: string, lineStart: number, least: number): readonly TextSpan[] {
  const lines: TextSpan[] = [];
  let count = 0;
  for (let end = lineStart - 1; end > Math.max(0, lineStart - maxCutChars); ) {
    const start = startOfLine(text, end, least);
    const letters = start === undefined ? null : lastLetters.exec(withBlankColours(text.slice(start, end)));
    if (start === undefined || letters === null) break;
    const [whole, run = ''] = letters;
    const isKey = looksLikeKey(run);
    if (!isKey && (count > 0 || lines.length === maxShortLines)) break;
    const at = start + letters.index + whole.indexOf(run);
    lines.unshift({ start: at, end: at + run.length });
    if (isKey) count = lines.length;
    end = start - 1;
  }
  return lines.slice(lines.length - count);
}

/** The start of the key line that ends at `end`; undefined if the line is too long for a key or contains a mark. */
function startOfLine(text: string, end: number, least: number): number | undefined {
  const from = Math.max(0, end - maxLineChars);
  const line = text.slice(from, end);
  const start = from + line.lastIndexOf('\n') + 1;
  const isWhole = start > from || start === 0 || text[start - 1] === '\n';
  return isWhole && start >= least && !line.includes('[REDACTED', start - from) ? start : undefined;
}

/** Whether base64 letters may be part of a key. Hexadecimal digits alone are a hash. */
function looksLikeKey(letters: string): boolean {
  if (/^(?:[\da-f]+|[\dA-F]+)$/.test(letters)) return false;
  return letters.length >= 40 || (letters.length >= 16 && looksRandom(letters));
}
