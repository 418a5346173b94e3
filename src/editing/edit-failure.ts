import { ToolError } from '../core/error.js';
import { type FileText, maxDecodedBytes } from './match/file-text.js';
import { placesOf, type Span, type YieldToLoop } from './match/find-text.js';
import { searchLines } from './match/line-breaks.js';
import { nearestRegion } from './match/nearest-region.js';

/** The maximum number of places that are counted. */
export const maxCounted = 1_000;

const maxFoldedChars = 8_000_000;

/** The words for the old and the new text of an edit in messages. */
export interface EditWords {
  readonly old: string;
  readonly new: string;
  readonly both: string;
  /** The next step if the old text occurs in several places. */
  readonly several: string;
}

/** The names of the fields of the tool Edit. */
export const editWords: EditWords = {
  old: 'old_string',
  new: 'new_string',
  both: 'old_string and new_string',
  several: 'Include more lines around the intended place, or set replace_all.',
};

/** The error for a text that occurs in several places, with the line numbers of the first ten. */
export function notUnique(text: FileText, places: readonly Span[], path: string, words: EditWords): ToolError {
  const lineAt = text.lineCounter();
  const lines = places.slice(0, 10).map(({ start }) => lineAt(start));
  const count = places.length >= maxCounted ? `at least ${maxCounted}` : String(places.length);
  return new ToolError(
    'not_unique',
    `${words.old} occurs in ${count} places in ${path} ` +
      `(line ${lines.join(', ')}${places.length > lines.length ? ', …' : ''}). ` +
      words.several,
    { metadata: { count: places.length, lines } },
  );
}

/** The error for a text that does not occur, with the cause (an empty file, letter case) or the most similar region. */
export async function noMatch(
  text: FileText,
  path: string,
  wanted: string,
  words: EditWords,
  yieldToLoop: YieldToLoop,
): Promise<ToolError> {
  const failure = (why: string, nearestLine?: number) =>
    new ToolError('no_match', `${words.old} was not found in ${path}. ${why}`, {
      ...(nearestLine !== undefined && { metadata: { nearestLine } }),
    });
  if (text.units === '') return failure('The file is empty. Use Write to fill it.');
  const advice = adviceFor(text, wanted);
  if (text.bytes.length > maxDecodedBytes)
    return failure(`A file of more than ${maxDecodedBytes / 1_000_000} MB is only matched exactly. ${advice}`);
  const content = text.textOf(text.units);
  if (lacksLastBreak(content, wanted))
    return failure(`The file ends without a line break. Leave out the line break at the end of ${words.old}.`);
  const other = await lineInOtherCase(content, wanted, yieldToLoop);
  if (other !== undefined) return failure(`It occurs at line ${other}, but in different letter case. ${advice}`, other);
  const nearest = await nearestRegion(content, wanted, yieldToLoop);
  if (nearest === undefined) return failure(`No similar lines were found. ${advice}`);
  const { line, diff } = nearest;
  return failure(`The most similar lines begin at line ${line} (- wanted, + in the file):\n${diff}\n${advice}`, line);
}

function adviceFor({ bytes }: FileText, wanted: string): string {
  if (wanted.includes('\ufffd') && !bytes.includes('\ufffd')) {
    return 'Leave out \ufffd, which stands for bytes that are not valid text; edit around it.';
  }
  const isNumbered = wanted
    .replace(/\n$/, '')
    .split('\n')
    .every((line) => /^\s*\d+\t/.test(line));
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

async function lineInOtherCase(content: string, wanted: string, yieldToLoop: YieldToLoop): Promise<number | undefined> {
  if (content.length > maxFoldedChars) return undefined;
  const [folded = '', sought = ''] = [content, wanted].map((text) => text.replaceAll('\r\n', '\n').toLowerCase());
  const [at] = await placesOf(folded, sought, { overlapping: true, maxSpans: 1 }, yieldToLoop);
  return at === undefined ? undefined : folded.slice(0, at).split('\n').length;
}
