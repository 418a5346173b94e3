import { ToolError } from '../core/error.js';
import { decodeText } from './encodings/encoding.js';
import { searchLines } from './match/exact.js';
import { breakTokens, sequenceSpans } from './match/line-break-tokens.js';
import type { LineCounter, YieldToLoop } from './match/line-counter.js';
import { nearestRegion } from './match/nearest.js';
import { lineBreakKind, type StoredText } from './match/newlines.js';
import type { Place } from './splice/replacement.js';

/** More places than these are not counted. */
export const maxCounted = 1_000;
/** Larger files are searched for the very bytes only. */
export const maxLooseBytes = 32_000_000;

const maxFoldedChars = 8_000_000;

/** What messages call the texts of an edit. */
export interface EditWords {
  readonly old: string;
  readonly new: string;
  readonly both: string;
  /** The next step where the old text stands in several places. */
  readonly several: string;
}

/** The fields of the tool Edit. */
export const editWords: EditWords = {
  old: 'old_string',
  new: 'new_string',
  both: 'old_string and new_string',
  several: 'Take in more of the lines around the right one, or set replace_all.',
};

/** The error for a text that stands in several places, with the first lines of them. */
export async function notUnique(
  counter: LineCounter,
  places: readonly Place[],
  path: string,
  words: EditWords,
): Promise<ToolError> {
  const lines: number[] = [];
  for (const { start } of places.slice(0, 10)) lines.push(await counter.lineAt(start));
  const count = places.length >= maxCounted ? `at least ${maxCounted}` : String(places.length);
  return new ToolError(
    'not_unique',
    `${words.old} stands in ${count} places in ${path} ` +
      `(line ${lines.join(', ')}${places.length > lines.length ? ', …' : ''}). ` +
      words.several,
    { metadata: { count: places.length, lines } },
  );
}

/** The error for a text that is not there, with what differs, or else the region that is most like it. */
export async function noMatch(
  stored: StoredText,
  path: string,
  wanted: string,
  words: EditWords,
  yieldToLoop: YieldToLoop,
): Promise<ToolError> {
  const head = `${words.old} was not found in ${path}.`;
  if (stored.bytes.length === stored.start)
    return new ToolError('no_match', `${head} The file is empty. Use Write to fill it.`);
  const advice = adviceFor(stored, wanted);
  if (stored.bytes.length > maxLooseBytes) return new ToolError('no_match', `${head} ${advice}`);
  const content = decodeText(stored.bytes.subarray(stored.start), stored.encoding);
  if (lacksLastBreak(content, wanted)) {
    return new ToolError(
      'no_match',
      `${head} The file ends without a line break. Leave the one at the end of ${words.old} out.`,
    );
  }
  const other = await otherCase(stored, content, wanted, yieldToLoop);
  if (other !== undefined) {
    return new ToolError('no_match', `${head} It stands at line ${other}, but in other letter case. ${advice}`, {
      metadata: { nearestLine: other },
    });
  }
  const nearest = await nearestRegion(content, wanted, yieldToLoop);
  if (nearest === undefined) return new ToolError('no_match', `${head} Nothing like it is there. ${advice}`);
  return new ToolError(
    'no_match',
    `${head} The nearest lines begin at line ${nearest.line} (- wanted, + in the file):\n${nearest.diff}\n${advice}`,
    { metadata: { nearestLine: nearest.line } },
  );
}

function adviceFor({ bytes }: StoredText, wanted: string): string {
  if (wanted.includes('\ufffd') && !bytes.includes('\ufffd')) {
    return 'Leave \ufffd out, which stands for bytes that are not valid text; edit around it.';
  }
  const isNumbered = wanted.split('\n').every((line) => /^\s*\d+\t/.test(line));
  return isNumbered
    ? 'Leave out the line numbers and tabs that Read puts before each line.'
    : 'Copy the text exactly as Read shows it, without line numbers.';
}

function lacksLastBreak(content: string, wanted: string): boolean {
  const lines = searchLines(wanted);
  if (lines.length < 2 || lines.pop() !== '' || content.endsWith('\n')) return false;
  const last = lines.join('\n');
  const end = content.slice(-(last.length + lines.length)).replaceAll('\r\n', '\n');
  return last !== '' && end.endsWith(last);
}

/** The number of the line where the text stands in other letters, large or small. */
async function otherCase(
  stored: StoredText,
  content: string,
  wanted: string,
  yieldToLoop: YieldToLoop,
): Promise<number | undefined> {
  if (content.length > maxFoldedChars) return undefined;
  const folded = content.toLowerCase();
  const kind = lineBreakKind(stored);
  const lines = searchLines(wanted.toLowerCase()).map((line) =>
    Array.from({ length: line.length }, (_, at) => line.charCodeAt(at)),
  );
  const whole = { kind, start: 0, end: folded.length, unit: 1, codeAt: (at: number) => folded.charCodeAt(at) };
  const [found] = await sequenceSpans(
    whole,
    breakTokens(lines, kind),
    { overlapping: true, maxSpans: 1 },
    [],
    yieldToLoop,
  );
  return found && folded.slice(0, found.start).split(kind === 'returns' ? '\r' : '\n').length;
}
