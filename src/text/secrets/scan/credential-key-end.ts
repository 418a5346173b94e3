import { formRule, type TextSpan } from './credential-rule.js';
import { looksRandom } from './secret-randomness.js';
import { withBlankColours } from './terminal-colours.js';

/** How far up a key without its first line is followed; longer than the largest keys in use. */
export const maxCutChars = 16_384;
const maxLineChars = 1024;
/** The last line of the body may be short, and so may a checksum behind it. */
const maxShortLines = 2;
/** The last letters of a line, behind whatever tools put before them. */
const lastLetters = /(?:^|[\s:"'`<>|#*;,+\-\])}→│┃])([A-Za-z0-9+/=]+)(?:\\{1,4}[nr])*["'`]?[ \t]*[+,;\\)]*[ \t]*\r?$/;

/** The footer of a private key that stands outside of one: with it go the lines above that are the end of a key. */
export const keyEndRule = formRule(
  { heads: ['-----END '] },
  /-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/y,
  ({ text, start, end, lookbackStart }) => {
    const least = Math.max(0, start - maxLineChars);
    const lineStart = least + text.slice(least, start).lastIndexOf('\n') + 1;
    // In a longer line the key stands beside it, as text of a program.
    if (lineStart === least && least > 0) return undefined;
    const before = keyLinesAbove(text, lineStart, Math.max(lookbackStart, lineStart - maxCutChars));
    return before.length === 0 ? undefined : { kind: 'private-key', start, end, before };
  },
);

/** The letters of the lines right above `lineStart` that may be the end of a key, from the top; none before `least`. */
export function keyLinesAbove(text: string, lineStart: number, least: number): readonly TextSpan[] {
  const lines: TextSpan[] = [];
  let count = 0;
  for (let end = lineStart - 1; end > least; ) {
    const from = Math.max(least, end - maxLineChars);
    const start = from + text.slice(from, end).lastIndexOf('\n') + 1;
    if (start === from && from > least && text[from - 1] !== '\n') break;
    const letters = lastLetters.exec(withBlankColours(text.slice(start, end)));
    if (letters === null) break;
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

/** A number in hexadecimal is a hash of something. */
function looksLikeKey(letters: string): boolean {
  if (/^(?:[\da-f]+|[\dA-F]+)$/.test(letters)) return false;
  return letters.length >= 40 || (letters.length >= 16 && looksRandom(letters));
}
