import { type LineChange, splitLines } from '../diff/line-diff.js';
import { decodeText, unitBytes } from '../encodings/encoding.js';
import type { LineCounter, YieldToLoop } from '../match/line-counter.js';
import { countLineFeeds, isLineStart, lineEnd, lineStart, type StoredText } from '../match/newlines.js';
import { type Replacement, splice } from './splice-text.js';

/** The first changed lines of a file, and how many more lines are added and removed behind them. */
export interface ChangedLines {
  readonly changes: readonly LineChange[];
  readonly more: { readonly added: number; readonly removed: number };
}

/** What changes in which file, and how its lines are named and counted. */
export interface ChangedText {
  readonly stored: StoredText;
  /** In order and apart. */
  readonly replacements: readonly Replacement[];
  readonly counter: LineCounter;
  readonly yieldToLoop: YieldToLoop;
}

const contextLines = 3;
const yieldEvery = 256;
const maxMoreLines = 10_000;

/**
 * The changed lines with some around them, for a diff; places near each other come as one. Stops after about `maxLines`
 * lines.
 */
export async function changedLines(text: ChangedText, maxLines: number): Promise<ChangedLines> {
  const { stored, replacements, counter, yieldToLoop } = text;
  const changes: LineChange[] = [];
  let shown = 0;
  let shift = 0;
  let index = 0;
  let added = 0;
  while (index < replacements.length && shown <= maxLines) {
    const { from, until, count } = await nextGroup(text, index, maxLines);
    const group = replacements.slice(index, index + count);
    const oldStart = await counter.lineAt(from);
    const oldLines = splitLines(decodeText(stored.bytes.subarray(from, until), stored.encoding));
    const slices = await splice(stored.bytes, group, yieldToLoop, { start: from, end: until });
    await yieldToLoop();
    const newText = decodeText(Buffer.concat(slices), stored.encoding);
    await yieldToLoop();
    const newLines = splitLines(newText);
    const { lines, left } = withoutMiddle(newLines, oldLines.length);
    added += left;
    changes.push({ oldStart, newStart: oldStart + shift, oldLines, newLines: lines });
    shift += newLines.length - oldLines.length;
    shown += oldLines.length + newLines.length;
    index += count;
  }
  const rest = await countFrom(text, index);
  return { changes, more: { added: added + rest.added, removed: rest.removed } };
}

// Of many more new lines than old ones nobody is shown more than the first; the others only count.
function withoutMiddle(
  lines: readonly string[],
  oldCount: number,
): { readonly lines: readonly string[]; readonly left: number } {
  const left = lines.length - oldCount - maxMoreLines;
  return left <= 0
    ? { lines, left: 0 }
    : { lines: [...lines.slice(0, maxMoreLines), ...lines.slice(maxMoreLines + left)], left };
}

interface Group {
  readonly from: number;
  readonly until: number;
  /** How many replacements are in it. */
  readonly count: number;
}

/**
 * Replacements so near to each other that their surroundings touch, as far as about `maxLines` lines; several in one
 * line stay together.
 */
async function nextGroup(
  { stored, replacements, yieldToLoop }: ChangedText,
  index: number,
  maxLines: number,
): Promise<Group> {
  const first = replacements[index] ?? { start: stored.start, end: stored.start };
  const from = linesBefore(stored, first.start);
  let lastLineEnd = lineEnd(stored, first.end);
  let until = linesAfter(stored, lastLineEnd, contextLines);
  let reach = linesAfter(stored, until, contextLines + 1);
  let lines = 0;
  let count = 1;
  for (let next = replacements[index + 1]; next !== undefined; next = replacements[index + ++count]) {
    if (count % yieldEvery === 0) await yieldToLoop();
    const isOnNewLine = next.start >= lastLineEnd;
    if (isOnNewLine && next.start >= reach && reach < stored.bytes.length) break;
    if (isOnNewLine && lines > maxLines) {
      // What changes behind the group must not look like lines that stay.
      return { from, until: Math.min(until, lineStart(stored, Math.min(next.start, until))), count };
    }
    if (next.end < lastLineEnd) continue;
    lastLineEnd = lineEnd(stored, next.end);
    const end = linesAfter(stored, lastLineEnd, contextLines);
    lines += countLineFeeds(stored, until, end);
    until = end;
    reach = linesAfter(stored, until, contextLines + 1);
  }
  return { from, until, count };
}

/**
 * How many lines go and come from a replacement on. Several in one line count it once, and a line that only follows
 * whole lines does not count.
 */
async function countFrom(
  { stored, replacements, yieldToLoop }: ChangedText,
  index: number,
): Promise<{ added: number; removed: number }> {
  const total = { added: 0, removed: 0 };
  // Where the last line ends that was counted, and what it has become so far.
  let line = { end: stored.start, done: stored.start, isEmpty: false };
  let inserted: { readonly bytes: Buffer; readonly feeds: number; readonly endsLine: boolean } | undefined;
  for (let at = index; at < replacements.length; at++) {
    if (at % yieldEvery === 0) await yieldToLoop();
    const { start, end, bytes } = replacements[at] as Replacement;
    if (inserted?.bytes !== bytes) inserted = { bytes, ...feedsIn(stored, bytes) };
    const isSame = start < line.end;
    const startsLine = isSame ? line.isEmpty && start === line.done : isLineStart(stored, start);
    const isEmpty = bytes.length > 0 ? inserted.endsLine : startsLine;
    const isBeforeLine = isLineStart(stored, end);
    const isLast = end === stored.bytes.length;
    const isUntouched = isBeforeLine && isEmpty;
    total.removed +=
      countLineFeeds(stored, start, end) + (isUntouched || (isLast && isBeforeLine) ? 0 : 1) - (isSame ? 1 : 0);
    total.added += inserted.feeds + (isUntouched || (isLast && isEmpty) ? 0 : 1) - (isSame ? 1 : 0);
    line = { end: isUntouched ? end : end < line.end ? line.end : lineEnd(stored, end), done: end, isEmpty };
  }
  return total;
}

function feedsIn({ encoding }: StoredText, bytes: Buffer): { readonly feeds: number; readonly endsLine: boolean } {
  const text: StoredText = { bytes, encoding, start: 0 };
  return { feeds: countLineFeeds(text, 0, bytes.length), endsLine: isLineStart(text, bytes.length) };
}

function linesBefore(stored: StoredText, at: number): number {
  let from = lineStart(stored, at);
  for (let line = 0; line < contextLines && from > stored.start; line++)
    from = lineStart(stored, from - unitBytes(stored.encoding));
  return from;
}

function linesAfter(stored: StoredText, lineStartAt: number, count: number): number {
  let until = lineStartAt;
  for (let line = 0; line < count && until < stored.bytes.length; line++) until = lineEnd(stored, until);
  return until;
}
