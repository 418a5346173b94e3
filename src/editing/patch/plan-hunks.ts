import { ToolError } from '../../core/error.js';
import type { EditWords } from '../edit-failure.js';
import type { TextEncoding } from '../encodings/codecs.js';
import { FileText } from '../match/file-text.js';
import { trimmed } from '../match/find-by-whitespace.js';
import type { YieldToLoop } from '../match/find-text.js';
import { type TextLine, textLines } from '../match/line-breaks.js';
import { type EditPlan, type EditRequest, type EditTier, planEditOf } from '../plan-edit.js';
import type { PatchHunk } from './parse.js';

/**
 * Applies hunks to a file in order. Lines match as in Edit. A hunk with anchors applies at the first match after the
 * anchors; a hunk without anchors must match only once. Returns the new bytes, and the kind of match of each hunk. Every
 * byte outside the replaced lines stays, including line ends. Throws the errors of {@link planEdit}, and `no_match` for
 * an anchor or a line number that the file does not have.
 */
export async function planHunks(
  bytes: Buffer,
  encoding: TextEncoding,
  hunks: readonly PatchHunk[],
  request: Pick<EditRequest, 'path' | 'exactOnly' | 'secretOf' | 'scrub'>,
  yieldToLoop: YieldToLoop,
) {
  let now = bytes;
  let from = 0;
  let grownLines = 0;
  const tiers: EditTier[] = [];
  for (const [index, hunk] of hunks.entries()) {
    const words = wordsFor(`Hunk ${index + 1}`);
    const text = new FileText(now, encoding);
    const lines = Array.from(textLines(text.units), (line) => ({ ...line, text: text.textOf(line.text) }));
    await yieldToLoop();
    const planFrom = async (least: number) => {
      const context = { lines, from: least, grownLines, path: request.path, index };
      const { line, takesFirst, ...texts } = placeOf(hunk, context);
      const choice = { from: lines[line]?.start ?? text.units.length, takesFirst };
      return await planWholeLines(texts, (oldText, newText) => {
        const change = { ...request, oldText, newText, replaceAll: false, maxDiffLines: 0, words, choice };
        return planEditOf(text, change, yieldToLoop);
      });
    };
    const plan = await planFrom(from).catch(async (thrown: unknown) => {
      const isBefore = from > 0 && (await planFrom(0).then(Boolean, () => false));
      throw isBefore ? outOfOrder(index, request.path) : thrown;
    });
    now = Buffer.concat(plan.slices);
    from = plan.end;
    grownLines += hunk.newLines.length - hunk.oldLines.length;
    tiers.push(plan.tier);
  }
  return { bytes: now, tiers };
}

function outOfOrder(index: number, path: string): ToolError {
  return new ToolError(
    'no_match',
    `Hunk ${index + 1}: its lines are above the lines of hunk ${index} in ${path}. ` +
      'Put the hunks of a file in the order of its lines.',
  );
}

type HunkTexts = Pick<PatchHunk, 'oldLines' | 'newLines'>;

interface HunkContext {
  /** All lines of the file, with offsets in units. */
  readonly lines: readonly TextLine[];
  /** The end of the previous hunk. */
  readonly from: number;
  /** How many lines the previous hunks added; negative if they removed more. */
  readonly grownLines: number;
  readonly path: string;
  readonly index: number;
}

/** The texts to match, and the index of the `line` at which the search starts. */
function placeOf(hunk: PatchHunk, context: HunkContext) {
  const { lines, from, grownLines, path, index } = context;
  const { anchors, oldLines, newLines, isAtEnd } = hunk;
  const found = lines.findIndex(({ start }) => start >= from);
  const first = found === -1 ? lines.length : found;
  const next = lineAfter(anchors, first, context);
  if (oldLines.length > 0) {
    const line = isAtEnd ? Math.max(next, lines.length - oldLines.length) : next;
    return { line, takesFirst: anchors.length > 0 && !isAtEnd, oldLines, newLines };
  }
  const { afterLine = isAtEnd || anchors.length === 0 ? lines.length - grownLines : next - grownLines } = hunk;
  const above = afterLine + grownLines;
  if (above > lines.length)
    throw new ToolError(
      'no_match',
      `${path} has ${lines.length - grownLines} lines, so nothing can be inserted after line ${afterLine}.`,
    );
  if (above < first) throw outOfOrder(index, path);
  // An insertion replaces a neighbouring line by that line and the new lines. An empty file has no such line.
  const line = Math.max(0, above - 1);
  const beside = lines.slice(line, line + 1).map(({ text }) => text);
  return {
    line,
    takesFirst: true,
    oldLines: beside,
    newLines: above === 0 ? [...newLines, ...beside] : [...beside, ...newLines],
  };
}

/** Index of the line after the anchors. An anchor matches an equal line, else a line that contains it. */
function lineAfter(anchors: readonly string[], from: number, { lines, path, index: hunk }: HunkContext): number {
  let next = from;
  for (const anchor of anchors) {
    const at = (test: (line: string) => boolean) => lines.findIndex(({ text }, index) => index >= next && test(text));
    const same = at((line) => trimmed(line) === anchor);
    const found = same === -1 ? at((line) => line.includes(anchor)) : same;
    if (found === -1) {
      const missing = `Hunk ${hunk + 1}: ${path} has no line ${JSON.stringify(anchor)} there.`;
      throw new ToolError(
        'no_match',
        `${missing} After @@, write a line that is above the place to change, or write nothing.`,
      );
    }
    next = found + 1;
  }
  return next;
}

/**
 * Plans with a line break after every line. If nothing matches, leaves out the last line break, because the last line
 * of a file may have none.
 */
async function planWholeLines(
  { oldLines, newLines }: HunkTexts,
  plan: (oldText: string, newText: string) => Promise<EditPlan>,
): Promise<EditPlan> {
  const ended = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');
  try {
    return await plan(ended(oldLines), ended(newLines));
  } catch (thrown) {
    const last = oldLines.join('\n');
    if (!ToolError.is(thrown) || thrown.code !== 'no_match' || last === '') throw thrown;
    return await plan(last, newLines.join('\n')).catch(() => Promise.reject(thrown));
  }
}

function wordsFor(name: string): EditWords {
  const several = 'Include more lines around the intended place, or name a line above it: @@ function name.';
  return { old: name, new: name, both: name, several };
}
