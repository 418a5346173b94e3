import { ifPossible } from '../core/support/error-code.js';
import { marksIn, withPlainMarks } from '../core/text/redaction-marks.js';
import type { Scrub } from '../core/text/scrub-excerpt.js';

// Scrubbing a longer text only for this check would take too long.
const maxCheckedChars = 4_000_000;
const lineBreak = /\r\n|[\n\r\u2028\u2029]/;

/**
 * Prevents a mark from overwriting a secret. If scrubbing hides something in the old text, the new text may contain a
 * mark only on lines of the old text. Each such line may occur at most as often as in the old text. The old text is
 * read only if the new one contains a mark.
 */
export class RedactionGuard {
  readonly #oldText: () => string;
  readonly #scrub: Scrub | false;

  /** With `false` for `scrub` nothing was hidden, so every mark is allowed. */
  constructor(oldText: () => string, scrub: Scrub | false) {
    this.#oldText = oldText;
    this.#scrub = scrub;
  }

  /** The first mark of the new text that may hide a secret: it is on a line that the old text lacks. */
  doubtful(newText: string): string | undefined {
    if (this.#scrub === false || marksIn(newText).length === 0) return undefined;
    const old = this.#oldText();
    const held = new Map<string, number>();
    for (const line of markedLines(old)) held.set(line, (held.get(line) ?? 0) + 1);
    const line = markedLines(newText).find((each) => {
      const count = held.get(each) ?? 0;
      held.set(each, count - 1);
      return count <= 0;
    });
    return line === undefined || scrubbed(old, this.#scrub) === old ? undefined : marksIn(line)[0];
  }

  /** The mark in a text that was not found, if the scrubbed old text contains that text and the old text does not. */
  inMissing(wanted: string): string | undefined {
    const [mark] = marksIn(wanted);
    if (this.#scrub === false || mark === undefined) return undefined;
    const old = this.#oldText();
    const seen = scrubbed(old, this.#scrub);
    return seen !== old && comparable(seen ?? '').includes(comparable(wanted)) ? mark : undefined;
  }
}

/** The reason why a mark may not be written, as a clause for a message. */
export function doubtfulWords(mark: string, path: string): string {
  return `${path} holds no such line with ${mark}, and the mark could destroy or hide a secret that is shown like it`;
}

/** The scrubbed text; undefined if a scrubber of the host fails. */
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
