import { unifiedDiff } from '../diff/by-lines.js';
import type { YieldToLoop } from './find-text.js';
import { searchLines } from './line-breaks.js';

const maxLines = 200_000;
const maxCompared = 20_000;
const maxComparedChars = 400;
// A line that occurs often in the wanted text does not show where the whole text would begin.
const maxVotes = 8;
const maxDiffedLines = 400;
const contextLines = 3;
const yieldEvery = 64;

/**
 * The first line of the region of a text that is most similar to the wanted text, and a diff from the wanted text to
 * the region.
 */
export async function nearestRegion(content: string, wanted: string, yieldToLoop: YieldToLoop) {
  const lines = content.split('\n', maxLines);
  const sought = searchLines(wanted);
  const start = (await mostVoted(lines, sought, yieldToLoop)) ?? (await mostSimilar(lines, sought, yieldToLoop));
  return start === undefined ? undefined : regionAt(lines, sought, start);
}

function regionAt(lines: readonly string[], sought: readonly string[], start: number) {
  const region = lines.slice(start, start + sought.length).map((line) => line.replace(/\r$/, ''));
  let same = 0;
  while (same < sought.length && sought[same] === region[same]) same++;
  const from = Math.max(0, same - contextLines);
  const change = {
    oldStart: start + from + 1,
    newStart: start + from + 1,
    oldLines: ended(sought.slice(from, from + maxDiffedLines)),
    newLines: ended(region.slice(from, from + maxDiffedLines)),
  };
  const { text } = unifiedDiff([change], { maxLines: 40, maxLineChars: 300 });
  return { line: start + 1, diff: text.replace(/^@@.*@@\n/, '') };
}

// Each wanted line that the text contains votes for a place where all wanted lines would start.
async function mostVoted(
  lines: readonly string[],
  sought: readonly string[],
  yieldToLoop: YieldToLoop,
): Promise<number | undefined> {
  const places = new Map<string, number[]>();
  for (const [index, line] of sought.entries()) {
    const key = line.trim();
    const known = places.get(key);
    if (known === undefined) places.set(key, [index]);
    else if (known.length < maxVotes) known.push(index);
  }
  const votes = new Int32Array(lines.length + sought.length);
  for (const [at, line] of lines.entries()) {
    if (at % yieldEvery === 0) await yieldToLoop();
    const key = line.trim();
    if (key.length <= 2) continue;
    for (const index of places.get(key) ?? [])
      votes[at - index + sought.length] = (votes[at - index + sought.length] ?? 0) + 1;
  }
  let best = 0;
  for (let at = 1; at < votes.length; at++) if ((votes[at] ?? 0) > (votes[best] ?? 0)) best = at;
  return (votes[best] ?? 0) === 0 ? undefined : Math.max(0, best - sought.length);
}

async function mostSimilar(
  lines: readonly string[],
  sought: readonly string[],
  yieldToLoop: YieldToLoop,
): Promise<number | undefined> {
  const longest = sought.reduce(
    (best, line, index) => (line.trim().length > (sought[best] ?? '').trim().length ? index : best),
    0,
  );
  const wanted = (sought[longest] ?? '').trim().slice(0, maxComparedChars);
  const pairs = pairsOf(wanted);
  let best: { readonly at: number; readonly score: number } | undefined;
  for (let at = 0; at < Math.min(lines.length, maxCompared); at++) {
    if (at % yieldEvery === 0) await yieldToLoop();
    const line = (lines[at] ?? '').trim().slice(0, maxComparedChars);
    if (line.length < wanted.length / 3 || line.length > wanted.length * 4) continue;
    const score = similarity(pairs, wanted.length, line);
    if (score > (best?.score ?? 0.5)) best = { at, score };
  }
  return best === undefined ? undefined : Math.max(0, best.at - longest);
}

function pairsOf(text: string): Map<string, number> {
  const pairs = new Map<string, number>();
  for (let index = 0; index + 2 <= text.length; index++) {
    const pair = text.slice(index, index + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

// The Sørensen–Dice coefficient over pairs of characters.
function similarity(pairs: ReadonlyMap<string, number>, length: number, line: string): number {
  const left = new Map(pairs);
  let shared = 0;
  for (let index = 0; index + 2 <= line.length; index++) {
    const pair = line.slice(index, index + 2);
    const count = left.get(pair) ?? 0;
    if (count === 0) continue;
    left.set(pair, count - 1);
    shared++;
  }
  return (2 * shared) / Math.max(1, length - 1 + line.length - 1);
}

function ended(lines: readonly string[]): string[] {
  return lines.map((line) => `${line}\n`);
}
