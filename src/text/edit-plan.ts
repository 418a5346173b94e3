import { isUtf8 } from 'node:buffer';
import { ToolError } from '../core/error.js';
import { type Diff, unifiedDiff } from './diff.js';
import { type FindOptions, findExact } from './edit-exact.js';
import { type Breathe, LineCounter } from './edit-line-counter.js';
import { findLookAlikes } from './edit-look-alikes.js';
import { nearestRegion } from './edit-nearest.js';
import type { StoredText } from './edit-newlines.js';
import { changedLines, type Place, replacementAt, splice } from './edit-splice.js';
import { findByWhitespace } from './edit-whitespace.js';
import { decodeText, encodeText, type TextEncoding } from './encoding.js';
import { isMultiByte } from './legacy-encoding.js';
import { restoreSecrets, type SecretLookup } from './redaction-marks.js';

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
  /** Secrets behind the marks in both texts. Default: no mark is known. */
  readonly secretOf?: SecretLookup | undefined;
}

/** What an edit makes of a file. */
export interface EditPlan {
  readonly slices: readonly Buffer[];
  readonly tier: EditTier;
  /** How many places were replaced. */
  readonly count: number;
  /** Line number of the first. */
  readonly line: number;
  readonly diff: Diff;
}

const maxCounted = 1_000;
const maxLooseBytes = 32_000_000;

/**
 * Finds the old text and splices in the new one; every byte outside the replaced text stays. The text must stand in one place, unless all are meant.
 * Throws `no_match` with the nearest region, `not_unique`, `no_change`, `redaction_in_edit`, and `unsupported_file` for characters the encoding lacks.
 */
export async function planEdit(
  bytes: Buffer,
  encoding: TextEncoding,
  marked: EditRequest,
  breathe: Breathe = async () => {},
): Promise<EditPlan> {
  const stored: StoredText = { bytes, encoding: encoding.name, start: encoding.markBytes };
  const request = withSecrets(stored, marked);
  const { tier, places } = await find(stored, request, breathe);
  const counter = new LineCounter(stored, breathe);
  if (places.length === 0) throw noMatch(stored, request);
  if (places.length > 1 && !request.replaceAll) throw await notUnique(counter, places, request);
  const replacements = places.map((place) => replacementAt(stored, place, request.oldText, request.newText));
  const changed = replacements.filter(({ start, end, bytes: inserted }) => !bytes.subarray(start, end).equals(inserted));
  if (changed.length === 0)
    throw new ToolError('no_change', `The edit leaves ${request.path} as it is; make new_string differ from old_string.`);
  return {
    slices: splice(bytes, changed),
    tier,
    count: places.length,
    line: await counter.lineAt(places[0]?.start ?? 0),
    diff: unifiedDiff(await changedLines(stored, changed, request.maxDiffLines, counter), { maxLines: request.maxDiffLines }),
  };
}

interface Found {
  readonly tier: EditTier;
  readonly places: readonly Place[];
}

async function find(stored: StoredText, request: EditRequest, breathe: Breathe): Promise<Found> {
  const options: FindOptions = request.replaceAll
    ? { overlapping: false, maxSpans: Number.POSITIVE_INFINITY }
    : { overlapping: true, maxSpans: maxCounted };
  const exact = await findExact(stored, request.oldText, options, breathe);
  if (exact.length > 0 || request.exactOnly || !isWellStored(stored)) return { tier: 'exact', places: exact };
  const alike = findLookAlikes(stored, request.oldText, options);
  if (alike.length > 0) return { tier: 'look-alikes', places: alike.map((span) => ({ ...span, isAlike: true })) };
  return { tier: 'whitespace', places: findByWhitespace(stored, request.oldText, options) };
}

// Looser searches look at characters; where bytes are broken, characters and bytes do not line up.
function isWellStored({ bytes, encoding, start }: StoredText): boolean {
  if (bytes.length > maxLooseBytes) return false;
  if (encoding === 'utf-8') return isUtf8(bytes);
  return (
    !isMultiByte(encoding) || encodeText(decodeText(bytes.subarray(start), encoding), encoding)?.equals(bytes.subarray(start)) === true
  );
}

function withSecrets(stored: StoredText, request: EditRequest): EditRequest {
  const holds = (text: string) => stored.bytes.includes(encodeText(text, stored.encoding) ?? text);
  const [oldText, newText] = [request.oldText, request.newText].map((text) => restoreSecrets(text, holds, request.secretOf));
  const [foreign] = [...(newText?.foreign ?? []), ...(oldText?.foreign ?? [])];
  if (foreign === undefined) return { ...request, oldText: oldText?.text ?? '', newText: newText?.text ?? '' };
  throw new ToolError(
    'redaction_in_edit',
    `${foreign} stands for a secret that was hidden when text was shown, and ${request.path} holds no such text that it could stand for. Edit around it: leave the line with the secret out of old_string and new_string.`,
  );
}

async function notUnique(counter: LineCounter, places: readonly Place[], { path }: EditRequest): Promise<ToolError> {
  const lines: number[] = [];
  for (const { start } of places.slice(0, 10)) lines.push(await counter.lineAt(start));
  const count = places.length >= maxCounted ? `at least ${maxCounted}` : String(places.length);
  return new ToolError(
    'not_unique',
    `old_string stands in ${count} places in ${path} (line ${lines.join(', ')}${places.length > lines.length ? ', …' : ''}). Take in more of the lines around the right one, or set replace_all.`,
    { metadata: { count: places.length, lines } },
  );
}

function noMatch(stored: StoredText, { path, oldText }: EditRequest): ToolError {
  const numbered = oldText.split('\n').every((line) => /^\s*\d+\t/.test(line));
  const advice = numbered
    ? 'Leave out the line numbers and tabs that Read puts before each line.'
    : 'Copy the text exactly as Read shows it, without line numbers.';
  const head = `old_string was not found in ${path}.`;
  if (stored.bytes.length > maxLooseBytes) return new ToolError('no_match', `${head} ${advice}`);
  const nearest = nearestRegion(decodeText(stored.bytes.subarray(stored.start), stored.encoding), oldText);
  if (nearest === undefined) return new ToolError('no_match', `${head} Nothing like it is there. ${advice}`);
  return new ToolError(
    'no_match',
    `${head} The nearest lines begin at line ${nearest.line} (- wanted, + in the file):\n${nearest.diff}\n${advice}`,
    { metadata: { nearestLine: nearest.line } },
  );
}
