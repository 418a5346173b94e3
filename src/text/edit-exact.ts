import { lineBreakPattern, type StoredText } from './edit-newlines.js';
import { decodeText, encodeText, unitBytes } from './encoding.js';

/** A range of bytes that a search text was found in. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** How to search. */
export interface FindOptions {
  /** Whether places that overlap count each (a search for the one place) or only the first of them (a replacement of all). */
  readonly overlapping: boolean;
  readonly maxSpans: number;
}

const lineBreak = /\r\n|\n/;

/** The lines of a search text, whatever line breaks it was written with. */
export function searchLines(text: string): string[] {
  return text.split(lineBreak);
}

/** Where the text stands in the file, character by character; a line break matches any line break that the file uses. */
export function findExact(stored: StoredText, text: string, options: FindOptions): Span[] {
  const lines = searchLines(text);
  const pattern = lineBreakPattern(stored);
  if (lines.length > 1 && pattern !== '\\n') return findAcrossLineBreaks(stored, lines, pattern, options);
  const needle = encodeText(lines.join('\n'), stored.encoding);
  return needle === undefined ? [] : findBytes(stored, needle, options);
}

/** A pattern for lines one after the other with any of the file's line breaks between them. */
export function linesPattern(lines: readonly string[], lineBreakSource: string): RegExp {
  return new RegExp(lines.map(escapePattern).join(lineBreakSource), 'g');
}

/** All matches of a pattern as ranges of indexes. */
export function matchRanges(text: string, pattern: RegExp, { overlapping, maxSpans }: FindOptions): Span[] {
  const spans: Span[] = [];
  for (let match = pattern.exec(text); match !== null && spans.length < maxSpans; match = pattern.exec(text)) {
    spans.push({ start: match.index, end: match.index + match[0].length });
    if (overlapping) pattern.lastIndex = match.index + 1;
  }
  return spans;
}

function findBytes({ bytes, encoding, start }: StoredText, needle: Buffer, { overlapping, maxSpans }: FindOptions): Span[] {
  const unit = unitBytes(encoding);
  const spans: Span[] = [];
  let at = bytes.indexOf(needle, start);
  while (at >= 0 && spans.length < maxSpans) {
    const isAligned = (at - start) % unit === 0;
    if (isAligned) spans.push({ start: at, end: at + needle.length });
    at = bytes.indexOf(needle, isAligned && !overlapping ? at + needle.length : at + 1);
  }
  return spans;
}

// One character of the searched text is one unit of bytes here, so that places need no translation.
function findAcrossLineBreaks(stored: StoredText, lines: readonly string[], pattern: string, options: FindOptions): Span[] {
  const { bytes, encoding, start } = stored;
  const unit = unitBytes(encoding);
  const view = unit === 2 ? decodeText(bytes.subarray(start), encoding) : bytes.toString('latin1', start);
  const needles = lines.map((line) => (unit === 2 ? line : encodeText(line, encoding)?.toString('latin1')));
  if (needles.includes(undefined)) return [];
  const ranges = matchRanges(view, linesPattern(needles as string[], pattern), options);
  return ranges.map((range) => ({ start: start + range.start * unit, end: start + range.end * unit }));
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
