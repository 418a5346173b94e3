import { ToolError } from '../core/error.js';
import type { LineChange } from './diff.js';
import { splitLines } from './diff.js';
import { type Span, searchLines } from './edit-exact.js';
import { keepCharacters } from './edit-kept-characters.js';
import type { LineCounter } from './edit-line-counter.js';
import { lineBreakAt, lineBreakPattern, lineEnd, lineStart, type StoredText } from './edit-newlines.js';
import { decodeText, encodeText } from './encoding.js';

/** A range of bytes and the bytes that come in its place. */
export interface Replacement extends Span {
  readonly bytes: Buffer;
}

/** A match and how lines that are put there are indented. */
export interface Place extends Span {
  readonly indent?: (line: string) => string;
  /** The file has other characters than the old text, one for one; those that old and new text share stay. */
  readonly isAlike?: boolean;
}

/**
 * What has to change at a place that matched `oldText` to make it `newText`. Lines at the start and end that both texts share keep their own
 * bytes, and so do characters that both share where the file has look-alikes of them; new line breaks are those of the lines they replace, or of the lines around. Throws `unsupported_file` when the encoding lacks a character.
 */
export function replacementAt(stored: StoredText, place: Place, oldText: string, newText: string): Replacement {
  const oldLines = searchLines(oldText);
  const newLines = searchLines(newText);
  const { head, tail } = sharedLines(oldLines, newLines);
  const { starts, ends, breaks } = linesWithin(stored, place);
  const start = starts[head] ?? place.start;
  const end = ends[ends.length - 1 - tail] ?? place.end;
  const touched = breaks.slice(head, ends.length - 1 - tail);
  const around = breaks[head - 1] ?? breaks[ends.length - 1 - tail] ?? lineBreakAt(stored, end);
  const [replaced, comeIn] = [oldLines.slice(head, oldLines.length - tail), newLines.slice(head, newLines.length - tail)];
  const own = () =>
    replaced.map((_line, index) => decodeText(stored.bytes.subarray(starts[head + index], ends[head + index]), stored.encoding));
  const lines = place.isAlike === true ? keepCharacters(own(), replaced, comeIn) : comeIn;
  const whole = lines
    .map((line, index) => {
      // The rest of a line that the match begins within has its indentation already.
      const indented = place.indent === undefined ? line : place.indent(line);
      return index === lines.length - 1 ? indented : indented + (touched[index] ?? touched.at(-1) ?? around);
    })
    .join('');
  const text = withoutSecondMark(stored, start, whole);
  const bytes = encodeText(text, stored.encoding);
  if (bytes === undefined) throw notRepresentable(text, stored);
  return { start, end, bytes };
}

// A mark in front of the text is no part of it, and two of them would be one mark and one character.
function withoutSecondMark({ start: textStart }: StoredText, start: number, text: string): string {
  return textStart > 0 && start === textStart && text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** The file in slices: untouched ranges as they stand, and the replacements between them, which must be in order and apart. */
export function splice(bytes: Buffer, replacements: readonly Replacement[]): Buffer[] {
  const slices: Buffer[] = [];
  let at = 0;
  for (const { start, end, bytes: inserted } of replacements) {
    slices.push(bytes.subarray(at, start), inserted);
    at = end;
  }
  slices.push(bytes.subarray(at));
  return slices.filter((slice) => slice.length > 0);
}

/** The changed lines with some around them, for a diff; places near each other come as one. Stops after about `maxLines` lines. */
export async function changedLines(
  stored: StoredText,
  replacements: readonly Replacement[],
  maxLines: number,
  counter: LineCounter,
): Promise<LineChange[]> {
  const changes: LineChange[] = [];
  let shown = 0;
  let shift = 0;
  for (let index = 0; index < replacements.length && shown <= maxLines; ) {
    const group: Replacement[] = [];
    let [from, until] = [0, 0];
    for (let next = replacements[index]; next !== undefined; next = replacements[++index]) {
      const window = { from: linesBefore(stored, next.start), until: linesAfter(stored, next.end) };
      if (group.length > 0 && window.from > until) break;
      if (group.length === 0) from = window.from;
      until = window.until;
      group.push(next);
    }
    const oldStart = await counter.lineAt(from);
    const oldLines = splitLines(decodeText(stored.bytes.subarray(from, until), stored.encoding));
    const newLines = splitLines(decodeText(spliced(stored.bytes, from, until, group), stored.encoding));
    changes.push({ oldStart, newStart: oldStart + shift, oldLines, newLines });
    shift += newLines.length - oldLines.length;
    shown += oldLines.length + newLines.length;
  }
  return changes;
}

function sharedLines(oldLines: readonly string[], newLines: readonly string[]): { readonly head: number; readonly tail: number } {
  // At least one line of each stays to be replaced, so that every break has a place.
  const most = Math.min(oldLines.length, newLines.length) - 1;
  let head = 0;
  while (head < most && oldLines[head] === newLines[head]) head++;
  let tail = 0;
  while (tail < most - head && oldLines[oldLines.length - 1 - tail] === newLines[newLines.length - 1 - tail]) tail++;
  return { head, tail };
}

interface LinesWithin {
  readonly starts: number[];
  readonly ends: number[];
  readonly breaks: string[];
}

function linesWithin(stored: StoredText, { start, end }: Span): LinesWithin {
  const text = decodeRange(stored, start, end);
  // Which breaks the whole file has takes long to find out in a large one.
  if (!/[\r\n]/.test(text)) return { starts: [start], ends: [end], breaks: [] };
  const pattern = new RegExp(lineBreakPattern(stored), 'g');
  const lines: LinesWithin = { starts: [start], ends: [], breaks: [] };
  let offset = start;
  let index = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    offset += encodedLength(text.slice(index, match.index), stored);
    lines.ends.push(offset);
    offset += encodedLength(match[0], stored);
    index = pattern.lastIndex;
    lines.starts.push(offset);
    lines.breaks.push(match[0]);
  }
  lines.ends.push(end);
  return lines;
}

// Bytes as characters where a character is a byte or the file is damaged: then lengths cannot go wrong.
function decodeRange({ bytes, encoding }: StoredText, start: number, end: number): string {
  return isWide(encoding) ? decodeText(bytes.subarray(start, end), encoding) : bytes.toString('latin1', start, end);
}

function encodedLength(text: string, { encoding }: StoredText): number {
  return isWide(encoding) ? text.length * 2 : text.length;
}

function isWide(encoding: StoredText['encoding']): boolean {
  return encoding === 'utf-16le' || encoding === 'utf-16be';
}

const contextLines = 3;

function linesBefore(stored: StoredText, at: number): number {
  let from = lineStart(stored, at);
  for (let line = 0; line < contextLines && from > stored.start; line++) from = lineStart(stored, from - 1);
  return from;
}

function linesAfter(stored: StoredText, at: number): number {
  let until = lineEnd(stored, at);
  for (let line = 0; line < contextLines && until < stored.bytes.length; line++) until = lineEnd(stored, until);
  return until;
}

function spliced(bytes: Buffer, from: number, until: number, group: readonly Replacement[]): Buffer {
  const moved = group.map(({ start, end, bytes: inserted }) => ({ start: start - from, end: end - from, bytes: inserted }));
  return Buffer.concat(splice(bytes.subarray(from, until), moved));
}

function notRepresentable(text: string, { encoding }: StoredText): ToolError {
  const lacking = [...text].find((character) => encodeText(character, encoding) === undefined) ?? '';
  const code = lacking.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  return new ToolError(
    'unsupported_file',
    `The file is stored as ${encoding}, which has no bytes for ${JSON.stringify(lacking)} (U+${code}). Use other characters, or convert the file first.`,
  );
}
