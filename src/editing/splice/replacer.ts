import { ToolError } from '../../core/error.js';
import { sharedEnds } from '../diff/by-lines.js';
import { lackingCharacter } from '../encodings/codecs.js';
import type { FileText, Replacement } from '../match/file-text.js';
import type { Span } from '../match/find-text.js';
import { lineBreakFinder, lineBreakKind, searchLines } from '../match/line-breaks.js';
import { refuseGuessedBytes } from './refuse-guessed-bytes.js';

/** A match. `indent` adapts a new line to the indentation of the match. */
export interface Place extends Span {
  readonly indent?: (line: string) => string;
}

/**
 * Returns a function that maps a place that matched `oldText` to its replacement by `newText`. Call the function in the
 * order of the file. Lines that both texts share at their start and end keep their bytes. With `isAlike`, the place may
 * contain look-alike characters; characters that both texts share keep their bytes too. A new line gets the line break
 * of the line that it replaces, or of a line beside it. Throws `unsupported_file` if the encoding lacks a character or
 * its bytes would be guessed.
 */
export function replacer(
  text: FileText,
  oldText: string,
  newText: string,
  isAlike: boolean,
): (place: Place) => Replacement {
  const oldLines = searchLines(oldText);
  const newLines = searchLines(newText);
  // At least one line of each text is replaced, even if one text consists of shared lines only: otherwise the line
  // break of an added or removed line would belong to no replaced line.
  const { head, tail } = sharedEnds(oldLines, newLines, Math.min(oldLines.length, newLines.length) - 1);
  const replaced = oldLines.slice(head, oldLines.length - tail);
  const inserted = newLines.slice(head, newLines.length - tail);
  const lineBreak = lineBreakKind(text.units) === 'returns' ? /\r/g : /\r?\n/g;
  const lineBreakAt = lineBreakFinder(text.units);
  const unitsOf = encoder(text);
  return (place) => {
    const stored = text.units.slice(place.start, place.end);
    const found = oldLines.length === 1 ? [] : [...stored.matchAll(lineBreak)];
    const breaks = found.map(([each]) => each);
    const starts = [place.start, ...found.map(({ index, 0: { length } }) => place.start + index + length)];
    const ends = [...found.map(({ index }) => place.start + index), place.end];
    const last = ends.length - 1 - tail;
    const start = starts[head] ?? place.start;
    const end = ends[last] ?? place.end;
    const touched = breaks.slice(head, last);
    const around = () => breaks[head - 1] ?? breaks[last] ?? lineBreakAt(end);
    const own = () => replaced.map((_line, index) => text.units.slice(starts[head + index], ends[head + index]));
    let content = '';
    for (const [index, line] of (isAlike ? keepCharacters(own(), replaced, inserted) : inserted).entries()) {
      content += place.indent === undefined ? line : place.indent(line);
      if (index < inserted.length - 1) content += touched[index] ?? touched.at(-1) ?? around();
    }
    return { start, end, units: unitsOf(withoutSecondMark(text, start, content)) };
  };
}

// Most places get the same text, which is checked and encoded only once.
function encoder(text: FileText): (content: string) => string {
  let last: { readonly content: string; readonly units: string } | undefined;
  return (content) => {
    if (last?.content === content) return last.units;
    refuseGuessedBytes(content, text.bytes, text.encoding);
    const units = text.unitsOf(content);
    if (units === undefined) throw notRepresentable(content, text);
    last = { content, units };
    return units;
  };
}

// A second byte order mark would be a character of the text.
function withoutSecondMark({ isAfterMark }: FileText, start: number, content: string): string {
  return isAfterMark && start === 0 && content.startsWith('\ufeff') ? content.slice(1) : content;
}

function notRepresentable(content: string, { encoding: { name } }: FileText): ToolError {
  const message = `The file is stored as ${name}, which has no bytes for ${lackingCharacter(content, name)}.`;
  return new ToolError('unsupported_file', `${message} Use other characters, or convert the file first.`);
}

/**
 * Returns the new lines. Characters that a new line shares with its old line, at the start and at the end, are spelled
 * as in the file. `stored`: the old lines of the file, which equal `oldLines` except for look-alike characters. If the
 * numbers of lines differ, only the first and the last lines correspond.
 */
function keepCharacters(stored: readonly string[], oldLines: readonly string[], newLines: readonly string[]): string[] {
  const shift = oldLines.length - newLines.length;
  return newLines.map((line, index) => {
    const front = shift === 0 || index === 0 ? index : -1;
    const back = shift === 0 || index === newLines.length - 1 ? index + shift : -1;
    const [first = '', last = ''] = [oldLines[front], oldLines[back]];
    const before = sharedStart(first, line);
    const after = sharedEnd(last, line, Math.min(line.length - before, last.length - (front === back ? before : 0)));
    const tail = stored[back] ?? '';
    return (
      (stored[front] ?? '').slice(0, before) + line.slice(before, line.length - after) + tail.slice(tail.length - after)
    );
  });
}

/** The number of code units that both texts share at their start. A surrogate pair is never split. */
function sharedStart(left: string, right: string): number {
  let count = 0;
  while (count < Math.min(left.length, right.length) && left[count] === right[count]) count++;
  return count > 0 && /[\ud800-\udbff]/.test(left.charAt(count - 1)) ? count - 1 : count;
}

function sharedEnd(left: string, right: string, most: number): number {
  let count = 0;
  while (count < most && left.at(-1 - count) === right.at(-1 - count)) count++;
  return count > 0 && /[\udc00-\udfff]/.test(left.charAt(left.length - count)) ? count - 1 : count;
}
