import { characterStart, isMultiByte, type LegacyName } from '../encodings/legacy.js';
import type { FileText } from './file-text.js';
import { lineBreakKind } from './line-breaks.js';
import { SequenceFinder } from './sequence-finder.js';

/** Yields to the event loop if a yield is due; otherwise resolves at once. */
export type YieldToLoop = () => Promise<void>;

/** A part of a text, by offsets in its units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface FindOptions {
  /** Whether matches that overlap earlier matches count too. */
  readonly overlapping: boolean;
  readonly maxSpans: number;
  readonly from?: number;
}

// The length of text that is searched in a few milliseconds.
const windowUnits = 4_194_304;
const pieceUnits = 524_288;
// For a longer string in a repetitive text, `indexOf` takes quadratic time.
const maxAnchorUnits = 250;
// The linear search takes over after `maxComparedShare` * the length of the text + `maxComparedUnits` comparisons.
const maxComparedShare = 8;
const maxComparedUnits = 1_048_576;
const yieldEvery = 256;

/**
 * Finds a string in the text of a file. A line break in the string matches any line break of the file; other characters
 * match themselves. `fold` maps equivalent characters to one of them, and keeps the length.
 */
export async function findText(
  text: FileText,
  wanted: string,
  options: FindOptions,
  yieldToLoop: YieldToLoop,
  fold = unchanged,
): Promise<Span[]> {
  const { from = 0 } = options;
  const encoded = text.unitsOf(wanted.toWellFormed());
  if (encoded === undefined) return [];
  const units = text.units.slice(from);
  // A string without `\n` is searched as it is: its `\r` may be half of a line break of the file.
  const kind = encoded.includes('\n') ? lineBreakKind(text.units) : 'feeds';
  const plainOf = (part: string) =>
    fold(kind === 'mixed' ? part.replaceAll('\r\n', '\n') : kind === 'returns' ? part.replaceAll('\r', '\n') : part);
  const plain = kind === 'feeds' && fold === unchanged ? units : await inPieces(units, plainOf, yieldToLoop);
  const sought = plainOf(encoded.replaceAll('\r\n', '\n'));
  const starts = await placesOf(plain, sought, options, yieldToLoop);
  const offsets = kind === 'mixed' ? [offsetsIn(units), offsetsIn(units)] : undefined;
  const found = starts.map((start) => ({
    start: from + (offsets?.[0]?.(start) ?? start),
    end: from + (offsets?.[1]?.(start + sought.length) ?? start + sought.length),
  }));
  return text.isExactOnly && isMultiByte(text.encoding.name) ? wholeCharacters(text, found, yieldToLoop) : found;
}

function unchanged(units: string): string {
  return units;
}

async function inPieces(text: string, change: (piece: string) => string, yieldToLoop: YieldToLoop): Promise<string> {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    let until = at + pieceUnits;
    if (text[until] === '\n') until++;
    pieces.push(change(text.slice(at, until)));
    at = until;
    await yieldToLoop();
  }
  return pieces.join('');
}

/** Maps offsets in the text without carriage returns to the original text. Offsets must increase from call to call. */
function offsetsIn(units: string): (offset: number) => number {
  let removed = 0;
  let next = units.indexOf('\r\n');
  return (offset) => {
    while (next >= 0 && next - removed < offset) {
      removed++;
      next = units.indexOf('\r\n', next + 2);
    }
    return offset + removed;
  };
}

/** The offsets of a string in a text, found in linear time. */
export async function placesOf(
  text: string,
  wanted: string,
  { overlapping, maxSpans }: FindOptions,
  yieldToLoop: YieldToLoop,
): Promise<number[]> {
  const places: number[] = [];
  const anchor = wanted.slice(0, maxAnchorUnits);
  let compared = 0;
  let [window, windowStart] = ['', 0];
  for (let from = 0, round = 1; wanted !== '' && from <= text.length - wanted.length; round++) {
    if (round % yieldEvery === 0) await yieldToLoop();
    if (from + anchor.length > windowStart + window.length) {
      windowStart = from;
      window = text.slice(from, from + windowUnits + anchor.length);
    }
    const found = window.indexOf(anchor, from - windowStart);
    if (found < 0) {
      from = windowStart + window.length - anchor.length + 1;
      await yieldToLoop();
      continue;
    }
    const at = windowStart + found;
    compared += wanted.length - anchor.length;
    const isMatch = wanted.length === anchor.length || text.startsWith(wanted, at);
    if (isMatch) places.push(at);
    if (places.length >= maxSpans) break;
    from = isMatch && !overlapping ? at + wanted.length : at + 1;
    if (compared > text.length * maxComparedShare + maxComparedUnits)
      return await placesInOneWalk(text, wanted, { overlapping, maxSpans, from }, places, yieldToLoop);
  }
  return places;
}

async function placesInOneWalk(
  text: string,
  wanted: string,
  { overlapping, maxSpans, from = 0 }: FindOptions,
  places: number[],
  yieldToLoop: YieldToLoop,
): Promise<number[]> {
  const finder = new SequenceFinder(Array.from({ length: wanted.length }, (_, at) => wanted.charCodeAt(at)));
  for (let at = from; at < text.length && places.length < maxSpans; at++) {
    if ((at - from) % 65_536 === 0) await yieldToLoop();
    if (!finder.push(text.charCodeAt(at))) continue;
    places.push(at + 1 - wanted.length);
    if (!overlapping) finder.reset();
  }
  return places;
}

// Drops matches that begin or end inside a double-byte character. A line never begins inside a character.
async function wholeCharacters(text: FileText, found: readonly Span[], yieldToLoop: YieldToLoop): Promise<Span[]> {
  const body = Buffer.from(text.units, 'latin1');
  const encoding = text.encoding.name as LegacyName;
  const whole: Span[] = [];
  // The last known start of a character.
  let known = 0;
  for (const [index, span] of found.entries()) {
    if (index % yieldEvery === yieldEvery - 1) await yieldToLoop();
    if (known > span.start) continue;
    const feed = body.subarray(known, span.start).lastIndexOf(10);
    known = characterStart(body, known + feed + 1, span.start, encoding);
    if (known === span.start && characterStart(body, span.start, span.end, encoding) === span.end) whole.push(span);
  }
  return whole;
}
