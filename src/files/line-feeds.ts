import { type EncodingName, unitBytes } from '../text/encoding.js';

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

/** Offset just past the `count`-th line feed from the start of a block, and how many were found when there are fewer. */
export function skipLineFeeds(block: Buffer, count: number, encoding: EncodingName): { readonly found: number; readonly end: number } {
  const unit = unitBytes(encoding);
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
