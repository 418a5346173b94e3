import { type LineChange, sharedEnds, splitLines } from '../diff/by-lines.js';
import type { FileText, Replacement } from '../match/file-text.js';
import type { YieldToLoop } from '../match/find-text.js';
import { lineEnd, lineStart } from '../match/line-breaks.js';

const contextLines = 3;
const yieldEvery = 256;

/**
 * The lines that replacements change, with three lines of context around; places whose contexts touch form one change.
 * Stops after about `maxLines` lines and counts the `more` lines that later replacements add and remove. The
 * replacements are in order and do not overlap. `lineAt` is a {@link FileText.lineCounter}.
 */
export async function changedLines(
  text: FileText,
  replacements: readonly Replacement[],
  lineAt: (offset: number) => number,
  maxLines: number,
  yieldToLoop: YieldToLoop,
) {
  const changes: LineChange[] = [];
  let [shown, shift, index] = [0, 0, 0];
  while (index < replacements.length && shown <= maxLines) {
    const { from, until, count } = await nextGroup(text, replacements, index, maxLines, yieldToLoop);
    const { oldLines, newLines } = linesOf(text, replacements.slice(index, index + count), from, until);
    const oldStart = lineAt(from);
    changes.push({ oldStart, newStart: oldStart + shift, oldLines, newLines });
    shift += newLines.length - oldLines.length;
    shown += oldLines.length + newLines.length;
    index += count;
    await yieldToLoop();
  }
  return { changes, more: await countFrom(text, replacements, index, yieldToLoop) };
}

/**
 * The next group of replacements whose contexts touch, with about `maxLines` lines at most. Replacements on one line
 * stay together.
 */
async function nextGroup(
  { units }: FileText,
  replacements: readonly Replacement[],
  index: number,
  maxLines: number,
  yieldToLoop: YieldToLoop,
) {
  const first = replacements[index] as Replacement;
  const from = linesBack(units, first.start);
  let changedEnd = lineEnd(units, first.end);
  let until = linesOn(units, changedEnd);
  let [count, lines] = [1, 0];
  for (let next = replacements[index + 1]; next !== undefined; next = replacements[index + ++count]) {
    if (count % yieldEvery === 0) await yieldToLoop();
    if (next.end < changedEnd) continue;
    if (next.start >= changedEnd) {
      if (linesBack(units, next.start) > until) break;
      // The next group must not change lines that are context of this group.
      if (++lines > maxLines) return { from, until: Math.min(until, lineStart(units, next.start)), count };
    }
    changedEnd = lineEnd(units, next.end);
    until = linesOn(units, changedEnd);
  }
  return { from, until, count };
}

async function countFrom(
  text: FileText,
  replacements: readonly Replacement[],
  index: number,
  yieldToLoop: YieldToLoop,
) {
  const more = { added: 0, removed: 0 };
  for (let at = index, next = at; at < replacements.length; at = next) {
    const from = lineStart(text.units, (replacements[at] as Replacement).start);
    let until = from;
    for (; next < replacements.length && (next === at || (replacements[next] as Replacement).start < until); next++) {
      if (next % yieldEvery === 0) await yieldToLoop();
      const { end } = replacements[next] as Replacement;
      if (end >= until) until = lineEnd(text.units, end);
    }
    const { oldLines, newLines } = linesOf(text, replacements.slice(at, next), from, until);
    const { head, tail } = sharedEnds(oldLines, newLines);
    more.removed += oldLines.length - head - tail;
    more.added += newLines.length - head - tail;
  }
  return more;
}

function linesOf(text: FileText, replacements: readonly Replacement[], from: number, until: number) {
  return {
    oldLines: splitLines(text.textOf(text.units.slice(from, until))),
    newLines: splitLines(text.textOf(text.replaced(replacements, from, until))),
  };
}

function linesBack(units: string, at: number): number {
  let from = lineStart(units, at);
  for (let line = 0; line < contextLines && from > 0; line++) from = lineStart(units, from - 1);
  return from;
}

function linesOn(units: string, at: number): number {
  let until = at;
  for (let line = 0; line < contextLines && until < units.length; line++) until = lineEnd(units, until);
  return until;
}
