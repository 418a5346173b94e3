import { markPlaces, marksIn, withPlainMarks } from './redaction-marks.js';
import { withheldNotice } from './scrub-guard.js';

/** A line that holds a mark. */
export interface MarkedLine {
  /** Without white space around it. */
  readonly text: string;
  /** The first mark on it, as it is written. */
  readonly mark: string;
  /** The line without quotes and white space, with plain marks. */
  readonly form: string;
  /** What it is compared by: its form, and what stands before each of its marks. Made at each call. */
  readonly keys: () => readonly [form: string, ...prefixes: string[]];
}

/** A line of which a part was hidden when it was shown. */
export interface HidingLine {
  /** As it is, without white space around it. */
  readonly text: string;
  /** What it was shown as, without quotes and white space, with plain marks. */
  readonly form: string;
  /**
   * By which a marked line is known to be like it: its shown form, and the words before what is hidden, if there are
   * any.
   */
  readonly keys: readonly string[];
}

const lineBreak = /\r\n|[\n\r\u2028\u2029]/;
const isBreakCode = (code: number) => code === 10 || code === 13 || code === 0x2028 || code === 0x2029;
const plainMark = '[REDACTED]';
// Two lines that are alike over so many characters before a mark are alike.
const maxPrefixChars = 100;

/** The lines of a text, at line breaks of any kind. */
export function linesOf(text: string): string[] {
  return text.split(lineBreak);
}

/** Those lines of a text that hold a mark, of any form. */
export function markedLines(text: string): MarkedLine[] {
  return linesWithMarks(text).map((line) => {
    const plain = withPlainMarks(line);
    const form = formOf(plain);
    return {
      text: line.trim(),
      mark: marksIn(line)[0] ?? plainMark,
      form,
      keys: () => [keyOfForm(form), ...prefixesOf(plain).map(keyOfPrefix)],
    };
  });
}

/**
 * The lines that differ from what they were shown as; undefined where the one does not go with the other, line by line.
 */
export function hidingLines(text: string, shown: string): HidingLine[] | undefined {
  if (shown === text) return [];
  const lines = linesOf(text);
  const shownLines = linesOf(shown);
  if (lines.length !== shownLines.length || (shown.startsWith(withheldNotice) && !text.startsWith(withheldNotice)))
    return undefined;
  return lines.flatMap((line, index) => {
    const shownLine = shownLines[index] ?? '';
    return line === shownLine ? [] : [hidingLine(line, shownLine)];
  });
}

// Without quotes, white space and the sign at its end, since these change with the line's place.
function formOf(line: string): string {
  return bare(withPlainMarks(line)).replace(/[,;]$/, '');
}

function keyOfForm(form: string): string {
  return `=${form}`;
}

function keyOfPrefix(prefix: string): string {
  return `^${prefix}`;
}

function hidingLine(line: string, shownLine: string): HidingLine {
  const form = formOf(shownLine);
  const prefix = bare(withPlainMarks(beforeHidden(line, shownLine))).slice(-maxPrefixChars);
  const keys = /[\p{L}\p{N}]/u.test(prefix) ? [keyOfForm(form), keyOfPrefix(prefix)] : [keyOfForm(form)];
  return { text: line.trim(), form, keys };
}

/** What stands before the first mark of the shown line that is not one of the line itself. */
function beforeHidden(line: string, shownLine: string): string {
  let shared = 0;
  while (shared < line.length && line.charCodeAt(shared) === shownLine.charCodeAt(shared)) shared++;
  let start = 0;
  for (const mark of marksIn(shownLine)) {
    start = shownLine.indexOf(mark, start);
    if (start + mark.length > shared) return shownLine.slice(0, start);
    start += mark.length;
  }
  return '';
}

function prefixesOf(line: string): string[] {
  const text = bare(line);
  const prefixes: string[] = [];
  for (let at = text.indexOf(plainMark); at !== -1; at = text.indexOf(plainMark, at + 1)) {
    prefixes.push(text.slice(Math.max(0, at - maxPrefixChars), at));
  }
  return prefixes;
}

function bare(line: string): string {
  return line.replace(/[\s"'`]+/g, '');
}

function linesWithMarks(text: string): string[] {
  const lines: string[] = [];
  let end = 0;
  for (const at of markPlaces(text)) {
    if (at < end) continue;
    let start = at;
    while (start > end && !isBreakCode(text.charCodeAt(start - 1))) start--;
    end = at;
    while (end < text.length && !isBreakCode(text.charCodeAt(end))) end++;
    lines.push(text.slice(start, end));
  }
  return lines;
}
