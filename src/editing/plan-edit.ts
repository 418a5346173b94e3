import { ToolError } from '../core/error.js';
import { foldLookAlikes, hasLookAlikes } from '../core/text/look-alikes.js';
import { marksIn, restoreSecrets, type SecretLookup } from '../core/text/redaction-marks.js';
import type { Scrub } from '../core/text/scrub-excerpt.js';
import { scrubCredentials } from '../secrets/scrubber.js';
import { type Diff, unifiedDiff } from './diff/by-lines.js';
import { type EditWords, editWords, maxCounted, noMatch, notUnique } from './edit-failure.js';
import { encodeText, type TextEncoding } from './encodings/codecs.js';
import { FileText, type Replacement, regionOf } from './match/file-text.js';
import { findByWhitespace } from './match/find-by-whitespace.js';
import { type FindOptions, findText, type YieldToLoop } from './match/find-text.js';
import { isLineBoundary } from './match/line-breaks.js';
import { doubtfulMark, doubtfulWords, markInMissing } from './redaction-guard.js';
import { changedLines } from './splice/changed-lines.js';
import { type Place, replacer } from './splice/replacer.js';

/** How the old text was found: exactly, with look-alike characters, or with other white space around lines. */
export type EditTier = 'exact' | 'look-alikes' | 'whitespace';

/** One replacement in the text of one file. */
export interface EditRequest {
  readonly path: string;
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll: boolean;
  readonly exactOnly: boolean;
  readonly maxDiffLines: number;
  /** Restricts matches to whole lines and selects one. Default: parts of lines match too. */
  readonly choice?: PlaceChoice | undefined;
  /** The words for both texts in messages. Default: {@link editWords}. */
  readonly words?: EditWords | undefined;
  /** Looks up the secret of a redaction mark in either text. Default: all marks are unknown. */
  readonly secretOf?: SecretLookup | undefined;
  /** The scrubber that was applied to the shown text; `false` for none. Default: `scrubCredentials`. */
  readonly scrub?: Scrub | false | undefined;
}

/** Selects one of the matches that are whole lines. */
export interface PlaceChoice {
  /** Offset of a line, in units of the {@link FileText}; matches before it do not count. */
  readonly from: number;
  /** Whether the first of several matches is selected; otherwise there must be only one match. */
  readonly takesFirst: boolean;
}

export interface EditPlan {
  readonly slices: readonly Buffer[];
  readonly tier: EditTier;
  readonly count: number;
  readonly line: number;
  /** The end of the first replaced place, in units of the new {@link FileText}. */
  readonly end: number;
  readonly diff: Diff;
}

const yieldEvery = 256;
// If only whole lines count, the search collects this many times more matches, because most matches of a short text are
// parts of lines.
const wholeLineFactor = 100;

/**
 * Replaces the old text by the new text; every other byte stays. The old text must occur once, unless all places are to
 * be replaced. Time is linear in the size of the file and the number of places, and `yieldToLoop` is called regularly.
 * Throws `no_match` with the most similar region, `not_unique`, `no_change`, `redaction_in_edit`, and
 * `unsupported_file` for characters that the encoding lacks, or whose bytes would be guessed.
 */
export async function planEdit(
  bytes: Buffer,
  encoding: TextEncoding,
  request: EditRequest,
  yieldToLoop: YieldToLoop = async () => {},
): Promise<EditPlan> {
  const exact = withSecrets(bytes, encoding, { ...request, exactOnly: true });
  const region = regionOf(bytes, encoding, exact.oldText);
  const near = region && new FileText(bytes, encoding, region);
  const found = near && (await find(near, exact, yieldToLoop));
  if (near !== undefined && found !== undefined && found.places.length > 0)
    return planAt(near, found, exact, yieldToLoop);
  return planEditOf(new FileText(bytes, encoding), request, yieldToLoop);
}

/** {@link planEdit} for a decoded file. */
export async function planEditOf(text: FileText, marked: EditRequest, yieldToLoop: YieldToLoop): Promise<EditPlan> {
  const request = withSecrets(text.bytes, text.encoding, marked);
  const found = await find(text, request, yieldToLoop);
  if (found.places.length > 0) return planAt(text, found, request, yieldToLoop);
  refuseHiddenText(text, request);
  throw await noMatch(text, request.path, request.oldText, request.words ?? editWords, yieldToLoop);
}

async function planAt(text: FileText, found: Found, request: EditRequest, yieldToLoop: YieldToLoop): Promise<EditPlan> {
  const { path, words = editWords, maxDiffLines } = request;
  const { tier, places } = found;
  if (places.length > 1 && !request.replaceAll) throw notUnique(text, places, path, words);
  const replacements = await changesAt(text, found, request, yieldToLoop);
  if (replacements.length === 0 && request.choice === undefined)
    throw new ToolError('no_change', `The edit leaves ${path} as it is; make new_string differ from old_string.`);
  const slices = text.spliced(replacements);
  await yieldToLoop();
  refuseDoubtfulMarks(text, slices, request);
  const lineAt = text.lineCounter();
  const { start = 0, end = 0 } = places[0] ?? {};
  const line = lineAt(start);
  const { changes, more } = await changedLines(text, replacements, lineAt, maxDiffLines, yieldToLoop);
  return {
    slices,
    tier,
    count: places.length,
    line,
    end: end + grownBy(replacements[0]),
    diff: unifiedDiff(changes, { maxLines: maxDiffLines }, more),
  };
}

function grownBy(change: Replacement | undefined): number {
  return change === undefined ? 0 : change.units.length - (change.end - change.start);
}

async function changesAt(
  text: FileText,
  { tier, places }: Found,
  { oldText, newText }: EditRequest,
  yieldToLoop: YieldToLoop,
): Promise<Replacement[]> {
  const replacementAt = replacer(text, oldText, newText, tier === 'look-alikes');
  const changes: Replacement[] = [];
  for (const [index, place] of places.entries()) {
    if (index % yieldEvery === yieldEvery - 1) await yieldToLoop();
    const change = replacementAt(place);
    if (text.units.slice(change.start, change.end) !== change.units) changes.push(change);
  }
  return changes;
}

interface Found {
  readonly tier: EditTier;
  readonly places: readonly Place[];
}

async function find(text: FileText, request: EditRequest, yieldToLoop: YieldToLoop): Promise<Found> {
  const { oldText, replaceAll, exactOnly, choice } = request;
  const { units } = text;
  // New lines can be inserted into an empty file.
  if (choice !== undefined && oldText === '' && units === '') return { tier: 'exact', places: [{ start: 0, end: 0 }] };
  const options: FindOptions = {
    overlapping: !replaceAll,
    maxSpans: replaceAll ? Number.POSITIVE_INFINITY : choice === undefined ? maxCounted : wholeLineFactor * maxCounted,
    from: choice?.from ?? 0,
  };
  const chosen = (places: readonly Place[]) => {
    if (choice === undefined) return places;
    const whole = places.filter(({ start, end }) => isLineBoundary(units, start) && isLineBoundary(units, end));
    return choice.takesFirst ? whole.slice(0, 1) : whole;
  };
  const exact = chosen(await findText(text, oldText, options, yieldToLoop));
  if (exact.length > 0 || exactOnly || text.isExactOnly) return { tier: 'exact', places: exact };
  if (hasLookAlikes(oldText) || hasLookAlikes(units)) {
    const alike = chosen(await findText(text, oldText, options, yieldToLoop, foldLookAlikes));
    if (alike.length > 0) return { tier: 'look-alikes', places: alike };
  }
  return { tier: 'whitespace', places: chosen(await findByWhitespace(text, oldText, options, yieldToLoop)) };
}

function withSecrets(bytes: Buffer, { name }: TextEncoding, request: EditRequest): EditRequest {
  const holds = (text: string) => bytes.includes(encodeText(text, name) ?? text);
  const oldText = restoreSecrets(request.oldText, holds, request.secretOf);
  const newText = restoreSecrets(request.newText, holds, request.secretOf);
  const [foreign] = [...newText.foreign, ...oldText.foreign];
  if (foreign === undefined) return { ...request, oldText: oldText.text, newText: newText.text };
  throw new ToolError(
    'redaction_in_edit',
    `${foreign} stands for a secret that was hidden when text was shown, and ${request.path} contains no text ` +
      `that the mark could stand for. Edit around it: leave the line with the secret out of ${(request.words ?? editWords).both}.`,
  );
}

function refuseHiddenText(
  text: FileText,
  { path, oldText, words = editWords, scrub = scrubCredentials }: EditRequest,
): void {
  const mark = markInMissing(oldText, () => text.wholeText(), scrub);
  if (mark === undefined) return;
  throw new ToolError(
    'redaction_in_edit',
    `${words.old} was not found in ${path}, because ${mark} in it stands for a secret that was hidden when text ` +
      `was shown. Edit around it: leave the line with the secret out of ${words.both}, and change the lines above ` +
      'and below it in separate edits.',
  );
}

function refuseDoubtfulMarks(
  text: FileText,
  slices: readonly Buffer[],
  { path, oldText, newText, words = editWords, scrub = scrubCredentials }: EditRequest,
): void {
  // The old text matched, so the file already contains the marks of the old text.
  if (marksIn(newText).length <= marksIn(oldText).length) return;
  const doubtful = doubtfulMark(text.wholeText(slices), () => text.wholeText(), scrub);
  if (doubtful === undefined) return;
  throw new ToolError(
    'redaction_in_edit',
    `${doubtfulWords(doubtful, path)}. Leave the line with the mark out of ${words.new}.`,
  );
}
