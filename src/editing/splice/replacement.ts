import { ToolError } from '../../core/error.js';
import { decodeText, encodeText, lackingCharacter, unitBytes } from '../encodings/encoding.js';
import { type Span, searchLines } from '../match/exact.js';
import { lineBreakFinder, lineBreakPattern, type StoredText } from '../match/newlines.js';
import { refuseGuessedBytes } from './guessed-bytes.js';
import { keepCharacters } from './keep-stored-characters.js';
import type { Replacement } from './splice-text.js';

/** A match and how lines that are put there are indented. */
export interface Place extends Span {
  readonly indent?: (line: string) => string;
}

/**
 * Tells what has to change at a place that matched `oldText` to make it `newText`; ask for places in the order of the
 * file. Lines at the start and end that both texts share keep their own bytes, and so do characters that both share
 * where `isAlike` says that the file has other ones, one for one; new line breaks are those of the lines they replace,
 * or of the lines around. Throws `unsupported_file` when the encoding lacks a character or its bytes would be
 * guessed.
 */
export function replacer(
  stored: StoredText,
  oldText: string,
  newText: string,
  isAlike: boolean,
): (place: Place) => Replacement {
  const oldLines = searchLines(oldText);
  const newLines = searchLines(newText);
  const { head, tail } = sharedLines(oldLines, newLines);
  const [replaced, comeIn] = [
    oldLines.slice(head, oldLines.length - tail),
    newLines.slice(head, newLines.length - tail),
  ];
  const linesWithin = lineSplitter(stored);
  const lineBreakAt = lineBreakFinder(stored);
  const encode = encoder(stored);
  return (place) => {
    const { starts, ends, breaks } = linesWithin(place);
    const last = ends.length - 1 - tail;
    const start = starts[head] ?? place.start;
    const end = ends[last] ?? place.end;
    const touched = breaks.slice(head, last);
    const around = () => breaks[head - 1] ?? breaks[last] ?? lineBreakAt(end);
    const own = () =>
      replaced.map((_line, index) =>
        decodeText(stored.bytes.subarray(starts[head + index], ends[head + index]), stored.encoding),
      );
    const lines = isAlike ? keepCharacters(own(), replaced, comeIn) : comeIn;
    let text = '';
    for (const [index, line] of lines.entries()) {
      // The rest of a line that the match begins within has its indentation already.
      text += place.indent === undefined ? line : place.indent(line);
      if (index < lines.length - 1) text += touched[index] ?? touched.at(-1) ?? around();
    }
    return { start, end, bytes: encode(withoutSecondMark(stored, start, text)) };
  };
}

// Most places get the same text, which then is stored once.
function encoder(stored: StoredText): (text: string) => Buffer {
  let last: { readonly text: string; readonly bytes: Buffer } | undefined;
  return (text) => {
    if (last?.text === text) return last.bytes;
    refuseGuessedBytes(text, stored);
    const bytes = encodeText(text, stored.encoding);
    if (bytes === undefined) throw notRepresentable(text, stored);
    last = { text, bytes };
    return bytes;
  };
}

// A mark in front of the text is no part of it, and two of them would be one mark and one character.
function withoutSecondMark({ start: textStart }: StoredText, start: number, text: string): string {
  return textStart > 0 && start === textStart && text.startsWith('\ufeff') ? text.slice(1) : text;
}

function sharedLines(
  oldLines: readonly string[],
  newLines: readonly string[],
): { readonly head: number; readonly tail: number } {
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

function lineSplitter(stored: StoredText): (span: Span) => LinesWithin {
  let source: string | undefined;
  return ({ start, end }) => {
    const text = decodeRange(stored, start, end);
    if (!/[\r\n]/.test(text)) return { starts: [start], ends: [end], breaks: [] };
    // Which breaks the whole file has takes long to find out in a large one.
    source ??= lineBreakPattern(stored);
    const lines: LinesWithin = { starts: [start], ends: [], breaks: [] };
    for (const match of text.matchAll(new RegExp(source, 'g'))) {
      lines.ends.push(start + encodedLength(match.index, stored));
      lines.starts.push(start + encodedLength(match.index + match[0].length, stored));
      lines.breaks.push(match[0]);
    }
    lines.ends.push(end);
    return lines;
  };
}

// Bytes as characters where a character is a byte or the file is damaged: then lengths cannot go wrong.
function decodeRange({ bytes, encoding }: StoredText, start: number, end: number): string {
  return unitBytes(encoding) === 2
    ? decodeText(bytes.subarray(start, end), encoding)
    : bytes.toString('latin1', start, end);
}

function encodedLength(chars: number, { encoding }: StoredText): number {
  return chars * unitBytes(encoding);
}

function notRepresentable(text: string, { encoding }: StoredText): ToolError {
  const message = `The file is stored as ${encoding}, which has no bytes for ${lackingCharacter(text, encoding)}.`;
  return new ToolError('unsupported_file', `${message} Use other characters, or convert the file first.`);
}
