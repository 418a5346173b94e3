import { unifiedDiff } from './diff.js';
import { searchLines } from './edit-exact.js';

const maxLines = 200_000;
const maxCompared = 20_000;
const maxComparedChars = 400;

/** The region of a text that is most like the wanted one, as a diff from what was wanted to what is there; undefined when nothing is like it. */
export function nearestRegion(content: string, wanted: string): { readonly line: number; readonly diff: string } | undefined {
  const lines = content.split('\n', maxLines).map((line) => line.replace(/\r$/, ''));
  const sought = searchLines(wanted);
  const start = mostVoted(lines, sought) ?? mostSimilar(lines, sought);
  if (start === undefined) return undefined;
  const region = lines.slice(start, start + sought.length);
  const change = { oldStart: start + 1, newStart: start + 1, oldLines: ended(sought), newLines: ended(region) };
  const { text } = unifiedDiff([change], { maxLines: 40, maxLineChars: 300 });
  return { line: start + 1, diff: text.replace(/^@@.*@@\n/, '') };
}

// Every wanted line that stands somewhere votes for the place where the whole would begin.
function mostVoted(lines: readonly string[], sought: readonly string[]): number | undefined {
  const places = new Map<string, number[]>();
  for (const [index, line] of sought.entries()) {
    const key = line.trim();
    if (key.length > 2) places.set(key, [...(places.get(key) ?? []), index]);
  }
  const votes = new Map<number, number>();
  for (const [at, line] of lines.entries()) {
    for (const index of places.get(line.trim()) ?? []) votes.set(at - index, (votes.get(at - index) ?? 0) + 1);
  }
  const [best] = [...votes].sort((left, right) => right[1] - left[1] || left[0] - right[0]);
  return best === undefined ? undefined : Math.max(0, best[0]);
}

function mostSimilar(lines: readonly string[], sought: readonly string[]): number | undefined {
  const longest = sought.reduce((best, line, index) => (line.trim().length > (sought[best] ?? '').trim().length ? index : best), 0);
  const wanted = (sought[longest] ?? '').trim().slice(0, maxComparedChars);
  const pairs = pairsOf(wanted);
  let best: { readonly at: number; readonly score: number } | undefined;
  for (let at = 0; at < Math.min(lines.length, maxCompared); at++) {
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
