import { wholeCharacter } from '../../../core/text/cut.js';
import type { GrepQuery } from '../../../ports/file-system.js';

export type LineForm = Pick<GrepQuery, 'lineNumbers'> & { readonly maxLineChars: number };

/**
 * One line of a file in the form `path:line:text`, or `path-line-text` for context; without the number if the query
 * turns numbers off.
 */
export function grepLine(
  path: string,
  line: number,
  kind: 'match' | 'context',
  text: string,
  { lineNumbers }: Pick<GrepQuery, 'lineNumbers'>,
): string {
  const mark = kind === 'match' ? ':' : '-';
  return lineNumbers ? `${path}${mark}${line}${mark}${text}` : `${path}${mark}${text}`;
}

/**
 * Shortens the text of a line; `text` may be only the start of the line. The text after `maxLineChars` characters is
 * replaced by a note with the size of the whole line. A surrogate pair is never split.
 */
export function cutLine(text: string, totalBytes: () => number, maxLineChars: number): string {
  if (text.length <= maxLineChars) return text;
  return `${text.slice(0, wholeCharacter(text, maxLineChars))} [cut; ${totalBytes()} bytes in all]`;
}

/** An upper bound for the bytes of `maxLineChars + 1` characters in UTF-8. */
export function headBytes(maxLineChars: number): number {
  return maxLineChars * 3 + 4;
}

/** Matches the end of {@link binaryNotice}. */
export const binaryNoticePattern = /: binary file matches \(found "\\0" byte around offset \d+\)$/;

/** The output for a binary file in place of its lines, as ripgrep prints it. */
export function binaryNotice(path: string, zeroAt: number): string {
  return `${path}: binary file matches (found "\\0" byte around offset ${zeroAt})`;
}
