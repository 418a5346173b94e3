import type { GrepQuery } from '../../../ports/file-system.js';

/** How output lines look. */
export type LineForm = Pick<GrepQuery, 'lineNumbers'> & { readonly maxLineChars: number };

/**
 * One line of a file in the form `path:line:text`, or `path-line-text` for context; without the number where the query
 * wants none.
 */
export function grepLine(path: string, line: number, kind: 'match' | 'context', text: string, form: LineForm): string {
  const mark = kind === 'match' ? ':' : '-';
  return form.lineNumbers ? `${path}${mark}${line}${mark}${text}` : `${path}${mark}${text}`;
}

/**
 * Text of a line that may be the beginning only; what is over the limit becomes a note with the size of the whole line.
 * Broken pairs of code units become U+FFFD.
 */
export function cutLine(text: string, totalBytes: () => number, maxLineChars: number): string {
  if (text.length <= maxLineChars) return text;
  const last = text.charCodeAt(maxLineChars - 1);
  const end = last >= 0xd800 && last < 0xdc00 ? maxLineChars - 1 : maxLineChars;
  return `${text.slice(0, end)} [cut; ${totalBytes()} bytes in all]`;
}

/** Bytes of a line that are enough to show `maxLineChars` characters and to know that there are more. */
export function headBytes(maxLineChars: number): number {
  return maxLineChars * 3 + 4;
}

/** What is said of a binary file in place of its lines. */
export function binaryNotice(path: string, zeroAt: number): string {
  return `${path}: binary file matches (found "\\0" byte around offset ${zeroAt})`;
}
