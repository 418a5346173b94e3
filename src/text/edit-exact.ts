import type { Breathe } from './edit-line-counter.js';
import { lineBreakPattern, lineStart, type StoredText } from './edit-newlines.js';
import { decodeText, encodeText, unitBytes } from './encoding.js';
import { isMultiByte, type LegacyName, startsCharacter } from './legacy-encoding.js';

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

// A stretch that is searched in a few milliseconds.
const windowBytes = 4_194_304;
const lineBreak = /\r\n|\n/;

/** The lines of a search text, whatever line breaks it was written with. */
export function searchLines(text: string): string[] {
  return text.split(lineBreak);
}

/** Where the text stands in the file, character by character; a line break matches any line break that the file uses. */
export async function findExact(stored: StoredText, text: string, options: FindOptions, breathe: Breathe): Promise<Span[]> {
  const found = await findUnits(stored, text, options, breathe);
  const { bytes, encoding } = stored;
  if (!isMultiByte(encoding)) return found;
  // The bytes of one character can end and begin two others.
  const isWhole = (at: number) => startsCharacter(bytes, lineStart(stored, at), at, encoding as LegacyName);
  return found.filter(({ start, end }) => isWhole(start) && isWhole(end));
}

async function findUnits(stored: StoredText, text: string, options: FindOptions, breathe: Breathe): Promise<Span[]> {
  const lines = searchLines(text);
  const pattern = lines.length > 1 ? lineBreakPattern(stored) : '\\n';
  if (pattern !== '\\n') return findAcrossLineBreaks(stored, lines, pattern, options);
  const needle = encodeText(lines.join('\n'), stored.encoding);
  return needle === undefined ? [] : findBytes(stored, needle, options, breathe);
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

async function findBytes(stored: StoredText, needle: Buffer, options: FindOptions, breathe: Breathe): Promise<Span[]> {
  const { bytes, encoding, start } = stored;
  const unit = unitBytes(encoding);
  const step = options.overlapping ? 1 : needle.length;
  const spans: Span[] = [];
  let from = start;
  while (from < bytes.length && spans.length < options.maxSpans) {
    const until = Math.min(bytes.length, from + windowBytes + needle.length - 1);
    const at = bytes.subarray(0, until).indexOf(needle, from);
    const isAligned = at >= 0 && (at - start) % unit === 0;
    if (isAligned) spans.push({ start: at, end: at + needle.length });
    from = at < 0 ? from + windowBytes : at + (isAligned ? step : 1);
    if (at < 0) await breathe();
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
