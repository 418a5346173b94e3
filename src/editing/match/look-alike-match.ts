import { decodeText, encodeText, unitBytes } from '../encodings/encoding.js';
import { isMultiByte } from '../encodings/legacy-encoding.js';
import { type FindOptions, type Span, searchLines } from './exact.js';
import { breakTokens, sequenceSpans } from './line-break-tokens.js';
import type { YieldToLoop } from './line-counter.js';
import { lookAlikes } from './look-alikes.js';
import { lineBreakKind, type StoredText } from './newlines.js';

const any = new RegExp(`[${Object.values(lookAlikes).join('')}]`);
const leastCode = 0xa0;
const yieldEvery = 1_024;

/**
 * Where the text stands in the file when characters that look alike count as the same: quotes, dashes and spaces, one
 * character for one.
 */
export async function findLookAlikes(
  stored: StoredText,
  text: string,
  options: FindOptions,
  yieldToLoop: YieldToLoop,
): Promise<Span[]> {
  const content = decodeText(stored.bytes.subarray(stored.start), stored.encoding);
  // Without any such character on either side the exact search has said all there is.
  if (!any.test(content) && !any.test(text)) return [];
  const plain = plainCodes();
  const codeAt = (source: string, at: number) => {
    const code = source.charCodeAt(at);
    return code < leastCode ? code : (plain.get(code) ?? code);
  };
  const lines = searchLines(text).map((line) => Array.from({ length: line.length }, (_, at) => codeAt(line, at)));
  const kind = lines.length > 1 ? lineBreakKind(stored) : 'feeds';
  const whole = { kind, start: 0, end: content.length, unit: 1, codeAt: (at: number) => codeAt(content, at) };
  return byteSpans(
    stored,
    content,
    await sequenceSpans(whole, breakTokens(lines, kind), options, [], yieldToLoop),
    yieldToLoop,
  );
}

/** Ranges of characters of the decoded text as ranges of bytes of the file, with all else that each of them holds. */
export async function byteSpans<Range extends Span>(
  stored: StoredText,
  content: string,
  ranges: readonly Range[],
  yieldToLoop: YieldToLoop,
): Promise<Range[]> {
  // Ranges may overlap, but each begins behind the beginning of the one before, and ends behind its end.
  const [startAt, endAt] = [byteOffsets(stored, content), byteOffsets(stored, content)];
  const spans: Range[] = [];
  for (const [index, range] of ranges.entries()) {
    if (index % yieldEvery === yieldEvery - 1) await yieldToLoop();
    spans.push({ ...range, start: startAt(range.start), end: endAt(range.end) });
  }
  return spans;
}

function byteOffsets({ start, encoding }: StoredText, content: string): (index: number) => number {
  let known = 0;
  let offset = start;
  const bytesOf = (text: string) => {
    if (encoding === 'utf-8') return Buffer.byteLength(text);
    return isMultiByte(encoding) ? (encodeText(text, encoding)?.length ?? 0) : text.length * unitBytes(encoding);
  };
  return (index) => {
    offset += bytesOf(content.slice(known, index));
    known = index;
    return offset;
  };
}

function plainCodes(): ReadonlyMap<number, number> {
  return new Map(
    Object.entries(lookAlikes).flatMap(([plain, others]) =>
      [...others].map((other) => [other.charCodeAt(0), plain.charCodeAt(0)] as const),
    ),
  );
}
