import { type EncodingName, unitBytes } from '../../editing/encodings/encoding.js';
import type { LineFeedCounter } from '../../editing/encodings/line-feed-counter.js';

const lineFeed = 10;

/** Offset of the next line feed at or after `from` in a block that starts at a whole character, or -1. */
export function lineFeedAt(block: Buffer, from: number, encoding: EncodingName): number {
  let at = block.indexOf(lineFeed, from);
  if (unitBytes(encoding) === 1) return at;
  for (; at >= 0; at = block.indexOf(lineFeed, at + 1)) {
    const start = encoding === 'utf-16le' ? at : at - 1;
    const other = encoding === 'utf-16le' ? at + 1 : at - 1;
    if (start >= from && start % 2 === 0 && block[other] === 0) return start;
  }
  return -1;
}

/** How many line feeds were passed over, and the offset just past the last of them. */
export interface SkippedLineFeeds {
  readonly found: number;
  readonly end: number;
}

/**
 * Passes over `count` line feeds from the start of a block, or over all when there are fewer. `counter` is one whose
 * memory begins with the block.
 */
export function skipLineFeeds(
  block: Buffer,
  count: number,
  encoding: EncodingName,
  counter?: LineFeedCounter,
): SkippedLineFeeds {
  const unit = unitBytes(encoding);
  if (counter !== undefined && unit === 1) return skipCounted(block, count, counter);
  let end = 0;
  let found = 0;
  while (found < count) {
    const at = unit === 1 ? block.indexOf(lineFeed, end) : lineFeedAt(block, end, encoding);
    if (at < 0) break;
    found++;
    end = at + unit;
  }
  return { found, end };
}

// A stretch that holds so few lines that looking for each is no slower than counting.
const leastStretch = 1_024;

function skipCounted(block: Buffer, count: number, counter: LineFeedCounter): SkippedLineFeeds {
  const all = counter.count(0, block.length);
  if (all < count) return { found: all, end: block.lastIndexOf(lineFeed) + 1 };
  let end = 0;
  let found = 0;
  for (let stretch = block.length >> 1; stretch >= leastStretch; stretch >>= 1) {
    const inside = counter.count(end, end + stretch);
    if (found + inside >= count) continue;
    found += inside;
    end += stretch;
  }
  for (; found < count; found++) end = block.indexOf(lineFeed, end) + 1;
  return { found, end };
}
