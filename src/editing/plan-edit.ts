import { isUtf8 } from 'node:buffer';
import { ToolError } from '../core/error.js';
import { doubtfulWords, RedactionGuard } from '../secrets/redaction-guard.js';
import { marksIn, restoreSecrets, type SecretLookup } from '../secrets/redaction-marks.js';
import type { Scrub } from '../secrets/scrub-text-part.js';
import { scrubCredentials } from '../secrets/scrubber.js';
import { type Diff, unifiedDiff } from './diff/line-diff.js';
import { type EditWords, editWords, maxCounted, maxLooseBytes, noMatch, notUnique } from './edit-failure.js';
import { decodeText, encodeText, type TextEncoding } from './encodings/encoding.js';
import { isMultiByte } from './encodings/legacy-encoding.js';
import { type FindOptions, findExact } from './match/exact.js';
import { LineCounter, type YieldToLoop } from './match/line-counter.js';
import { findLookAlikes } from './match/look-alike-match.js';
import { isLineBoundary, type StoredText } from './match/newlines.js';
import { findByWhitespace } from './match/whitespace.js';
import { changedLines } from './splice/changed-lines.js';
import { type Place, replacer } from './splice/replacement.js';
import { type Replacement, splice } from './splice/splice-text.js';

/** How the old text was found: as it is, with look-alike characters, or but for white space around lines. */
export type EditTier = 'exact' | 'look-alikes' | 'whitespace';

/** One replacement in the text of one file. */
export interface EditRequest {
  /** For messages. */
  readonly path: string;
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll: boolean;
  /** Settle for nothing but the very characters. */
  readonly exactOnly: boolean;
  /** Lines of the diff that comes with the plan. */
  readonly maxDiffLines: number;
  /** Which place is meant where only whole lines count. Default: any part of a line, and all or only one place. */
  readonly among?: PlaceChoice | undefined;
  /** What messages call the texts. Default: {@link editWords}. */
  readonly words?: EditWords | undefined;
  /** Secrets behind the marks in both texts. Default: no mark is known. */
  readonly secretOf?: SecretLookup | undefined;
  /** How the text was scrubbed when it was shown; `false` where it was not. Default: `scrubCredentials`. */
  readonly scrub?: Scrub | false | undefined;
}

/** Which of the places that are made of whole lines is taken. */
export interface PlaceChoice {
  /** Byte offset of a line; places before it do not count. */
  readonly from: number;
  /** Takes the first of several. Default: there must be one only. */
  readonly takesFirst: boolean;
}

/** What an edit makes of a file. */
export interface EditPlan {
  readonly slices: readonly Buffer[];
  readonly tier: EditTier;
  /** How many places were replaced. */
  readonly count: number;
  /** Line number of the first. */
  readonly line: number;
  /** Byte offset behind the first, in the new content. */
  readonly end: number;
  readonly diff: Diff;
}

const yieldEvery = 256;
// Most places of a short text are within lines, which do not count where whole lines are meant.
const maxWithin = 100;
// To write more of them in a set of an Asian script, only to see whether it can be written, takes too long.
const maxEncodedBytes = 2_000_000;

/**
 * Finds the old text and splices in the new one; every byte outside the replaced text stays. The text must stand in one
 * place, unless all are meant. Time grows with the file and with the number of places, and `yieldToLoop` is called all
 * along. Throws `no_match` with the nearest region, `not_unique`, `no_change`, `redaction_in_edit`, and
 * `unsupported_file` for characters that the encoding lacks, or whose bytes would be guessed.
 */
export async function planEdit(
  bytes: Buffer,
  encoding: TextEncoding,
  marked: EditRequest,
  yieldToLoop: YieldToLoop = async () => {},
): Promise<EditPlan> {
  const { name, markBytes: start, knownBy } = encoding;
  const stored: StoredText = { bytes, encoding: name, start, knownBy };
  const request = withSecrets(stored, marked);
  const { words = editWords, among } = request;
  const { tier, places } = await find(stored, request, yieldToLoop);
  if (places.length === 0) refuseHiddenText(stored, request);
  if (places.length === 0) throw await noMatch(stored, request.path, request.oldText, words, yieldToLoop);
  const counter = new LineCounter(stored, yieldToLoop);
  if (places.length > 1 && !request.replaceAll) throw await notUnique(counter, places, request.path, words);
  const replacements = await changesAt(stored, { tier, places }, request, yieldToLoop);
  if (replacements.length === 0 && among === undefined)
    throw new ToolError(
      'no_change',
      `The edit leaves ${request.path} as it is; make new_string differ from old_string.`,
    );
  const slices = await splice(bytes, replacements, yieldToLoop);
  refuseDoubtfulMarks(stored, slices, request);
  const line = await counter.lineAt(places[0]?.start ?? 0);
  const { changes, more } = await changedLines({ stored, replacements, counter, yieldToLoop }, request.maxDiffLines);
  return {
    slices,
    tier,
    count: places.length,
    line,
    end: (places[0]?.end ?? 0) + grownBy(replacements[0]),
    diff: unifiedDiff(changes, { maxLines: request.maxDiffLines }, more),
  };
}

function grownBy(change: Replacement | undefined): number {
  return change === undefined ? 0 : change.bytes.length - (change.end - change.start);
}

async function changesAt(
  stored: StoredText,
  { tier, places }: Found,
  { oldText, newText }: EditRequest,
  yieldToLoop: YieldToLoop,
): Promise<Replacement[]> {
  const replacementAt = replacer(stored, oldText, newText, tier === 'look-alikes');
  const changes: Replacement[] = [];
  for (const [index, place] of places.entries()) {
    if (index % yieldEvery === yieldEvery - 1) await yieldToLoop();
    const change = replacementAt(place);
    const { start, end, bytes: inserted } = change;
    if (end - start !== inserted.length || inserted.compare(stored.bytes, start, end) !== 0) changes.push(change);
  }
  return changes;
}

interface Found {
  readonly tier: EditTier;
  readonly places: readonly Place[];
}

async function find(whole: StoredText, request: EditRequest, yieldToLoop: YieldToLoop): Promise<Found> {
  const { oldText, replaceAll, exactOnly, among } = request;
  const options: FindOptions = replaceAll
    ? { overlapping: false, maxSpans: Number.POSITIVE_INFINITY }
    : { overlapping: true, maxSpans: among === undefined ? maxCounted : maxWithin * maxCounted };
  const stored = among === undefined ? whole : { ...whole, start: among.from };
  const meant = <Span extends Place>(places: readonly Span[]) => meantPlaces(whole, places, among);
  const exact = meant(await findExact(stored, oldText, options, yieldToLoop));
  if (exact.length > 0 || exactOnly || !isWellStored(stored)) return { tier: 'exact', places: exact };
  const alike = meant(await findLookAlikes(stored, oldText, options, yieldToLoop));
  if (alike.length > 0) return { tier: 'look-alikes', places: alike };
  return { tier: 'whitespace', places: meant(await findByWhitespace(stored, oldText, options, yieldToLoop)) };
}

function meantPlaces(stored: StoredText, places: readonly Place[], among: PlaceChoice | undefined): readonly Place[] {
  if (among === undefined) return places;
  const whole = places.filter(({ start, end }) => isLineBoundary(stored, start) && isLineBoundary(stored, end));
  return among.takesFirst ? whole.slice(0, 1) : whole;
}

// Looser searches look at characters; where bytes are broken, characters and bytes do not line up.
function isWellStored({ bytes, encoding, start }: StoredText): boolean {
  if (bytes.length > maxLooseBytes) return false;
  if (encoding === 'utf-8') return isUtf8(bytes);
  if (!isMultiByte(encoding)) return true;
  return (
    bytes.length <= maxEncodedBytes &&
    encodeText(decodeText(bytes.subarray(start), encoding), encoding)?.equals(bytes.subarray(start)) === true
  );
}

function withSecrets(stored: StoredText, request: EditRequest): EditRequest {
  const holds = (text: string) => stored.bytes.includes(encodeText(text, stored.encoding) ?? text);
  const [oldText, newText] = [request.oldText, request.newText].map((text) =>
    restoreSecrets(text, holds, request.secretOf),
  );
  const [foreign] = [...(newText?.foreign ?? []), ...(oldText?.foreign ?? [])];
  if (foreign === undefined) return { ...request, oldText: oldText?.text ?? '', newText: newText?.text ?? '' };
  throw new ToolError(
    'redaction_in_edit',
    `${foreign} stands for a secret that was hidden when text was shown, and ${request.path} holds no such text ` +
      `that it could stand for. Edit around it: leave the line with the secret out of ${(request.words ?? editWords).both}.`,
  );
}

function refuseHiddenText(
  stored: StoredText,
  { path, oldText, words = editWords, scrub = scrubCredentials }: EditRequest,
): void {
  const mark = new RedactionGuard(() => textOf(stored, [stored.bytes]), scrub).inMissing(oldText);
  if (mark === undefined) return;
  throw new ToolError(
    'redaction_in_edit',
    `${words.old} was not found in ${path}, because ${mark} in it stands for a secret that was hidden when text ` +
      `was shown. Edit around it: leave the line with the secret out of ${words.both}, and change the lines above ` +
      'and below it each by itself.',
  );
}

function refuseDoubtfulMarks(
  stored: StoredText,
  slices: readonly Buffer[],
  { path, oldText, newText, words = editWords, scrub = scrubCredentials }: EditRequest,
): void {
  // What was replaced held as many for itself, since it was found.
  if (marksIn(newText).length <= marksIn(oldText).length) return;
  const guard = new RedactionGuard(() => textOf(stored, [stored.bytes]), scrub);
  const doubtful = guard.doubtful(textOf(stored, slices));
  if (doubtful === undefined) return;
  throw new ToolError(
    'redaction_in_edit',
    `${doubtfulWords(doubtful, path)}. Leave the line with the mark out of ${words.new}.`,
  );
}

function textOf({ start, encoding }: StoredText, slices: readonly Buffer[]): string {
  return decodeText(Buffer.concat(slices).subarray(start), encoding);
}
