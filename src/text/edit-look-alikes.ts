import { type FindOptions, linesPattern, matchRanges, type Span, searchLines } from './edit-exact.js';
import { lineBreakPattern, type StoredText } from './edit-newlines.js';
import { decodeText, encodeText } from './encoding.js';

const lookAlikes: readonly (readonly [plain: string, others: string])[] = [
  ["'", '\u2018\u2019\u201a\u201b\u2032\u02bc\uff07'],
  ['"', '\u201c\u201d\u201e\u201f\u2033\uff02'],
  ['-', '\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d'],
  [' ', '\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000'],
];

const all = new RegExp(`[${lookAlikes.map(([, others]) => others).join('')}]`, 'g');

/** The text with quotes, dashes and spaces that look alike made plain, one character for one. */
function foldLookAlikes(text: string): string {
  return text.replace(all, (character) => lookAlikes.find(([, others]) => others.includes(character))?.[0] ?? character);
}

/** Where the text stands in the file when characters that look alike count as the same. */
export function findLookAlikes(stored: StoredText, text: string, options: FindOptions): Span[] {
  const content = decodeText(stored.bytes.subarray(stored.start), stored.encoding);
  const folded = foldLookAlikes(content);
  const lines = searchLines(foldLookAlikes(text));
  // Without any such character on either side the exact search has said all there is.
  if (folded === content && lines.join('\n') === searchLines(text).join('\n')) return [];
  return byteSpans(stored, content, matchRanges(folded, linesPattern(lines, lineBreakPattern(stored)), options));
}

/** Ranges of characters of the decoded text as ranges of bytes of the file. */
export function byteSpans(stored: StoredText, content: string, ranges: readonly Span[]): Span[] {
  let index = 0;
  let offset = stored.start;
  const byteAt = (target: number) => {
    // Overlapping ranges step back; counting from the start again is rare and right.
    if (target < index) [index, offset] = [0, stored.start];
    offset += encodeText(content.slice(index, target), stored.encoding)?.length ?? 0;
    index = target;
    return offset;
  };
  return ranges.map(({ start, end }) => ({ start: byteAt(start), end: byteAt(end) }));
}
