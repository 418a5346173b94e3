import { ifPossible } from '../core/support/check-values.js';
import { marksIn, withPlainMarks } from '../core/text/redaction-marks.js';
import type { Scrub } from '../core/text/scrub-excerpt.js';

// Scrubbing a longer text only for this check would take too long.
const maxCheckedChars = 4_000_000;
const lineBreak = /\r\n|[\n\r\u2028\u2029]/;

/**
 * Finds a mark that could overwrite a secret: the first mark on a line of the new text that does not occur in the old
 * text, or occurs there less often. Undefined if scrubbing hides nothing in the old text, and with `false` for `scrub`.
 * The old text is read only if the new one contains a mark.
 */
export function doubtfulMark(newText: string, oldText: () => string, scrub: Scrub | false): string | undefined {
  if (scrub === false || marksIn(newText).length === 0) return undefined;
  const old = oldText();
  const held = new Map<string, number>();
  for (const line of markedLines(old)) held.set(line, (held.get(line) ?? 0) + 1);
  const line = markedLines(newText).find((each) => {
    const count = held.get(each) ?? 0;
    held.set(each, count - 1);
    return count <= 0;
  });
  return line === undefined || scrubbed(old, scrub) === old ? undefined : marksIn(line)[0];
}

/**
 * For a text `wanted` that was not found: returns its first mark if the scrubbed old text contains `wanted`, else
 * undefined.
 */
export function markInMissing(wanted: string, oldText: () => string, scrub: Scrub | false): string | undefined {
  const [mark] = marksIn(wanted);
  if (scrub === false || mark === undefined) return undefined;
  const old = oldText();
  const seen = scrubbed(old, scrub);
  return seen !== old && comparable(seen ?? '').includes(comparable(wanted)) ? mark : undefined;
}

/** The reason why a mark must not be written, as a clause for a message. */
export function doubtfulWords(mark: string, path: string): string {
  return `The line with ${mark} is not in ${path}, and the mark could overwrite or hide a secret that is shown as this mark`;
}

/** The scrubbed text; undefined if the text is too long to check, or if a scrubber of the host fails. */
function scrubbed(text: string, scrub: Scrub): string | undefined {
  return text.length > maxCheckedChars ? undefined : ifPossible(() => scrub(text));
}

function markedLines(text: string): readonly string[] {
  return linesOf(text).filter((line) => marksIn(line).length > 0);
}

function linesOf(text: string): readonly string[] {
  return text.split(lineBreak).map((line) => line.trim());
}

function comparable(text: string): string {
  return linesOf(withPlainMarks(text)).join('\n');
}
