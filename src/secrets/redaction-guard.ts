import { marksIn, withPlainMarks } from './redaction-marks.js';
import type { Scrub } from './scrub-text-part.js';

// To scrub more takes too long for what depends on it.
const maxCheckedChars = 4_000_000;
const lineBreak = /\r\n|[\n\r\u2028\u2029]/;

/**
 * Keeps marks from being written in place of secrets: where a text hides something when it is shown, a mark passes only
 * on lines that the text holds as they are, and as often. Nothing is looked at before a mark is asked about.
 */
export class RedactionGuard {
  readonly #oldText: () => string;
  readonly #scrub: Scrub | false;

  /** With `false` for `scrub` nothing was hidden, and nothing is doubtful. */
  constructor(oldText: () => string, scrub: Scrub | false) {
    this.#oldText = oldText;
    this.#scrub = scrub;
  }

  /** The first mark of the new text on a line that the old one lacks, where that may hide a secret. */
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
    return line === undefined || shown(old, this.#scrub) === old ? undefined : marksIn(line)[0];
  }

  /** The mark for which a text is not found: where the old text holds the wanted one only as it is shown. */
  inMissing(wanted: string): string | undefined {
    const [mark] = marksIn(wanted);
    if (this.#scrub === false || mark === undefined) return undefined;
    const old = this.#oldText();
    const seen = shown(old, this.#scrub);
    return seen !== old && comparable(seen ?? '').includes(comparable(wanted)) ? mark : undefined;
  }
}

/** A clause that says why such a mark may not be written, for a message. */
export function doubtfulWords(mark: string, path: string): string {
  return `${path} holds no such line with ${mark}, and the mark could destroy or hide a secret that is shown like it`;
}

/** The text as it is shown; undefined where that is not known: a scrubber of the host's own may fail. */
function shown(text: string, scrub: Scrub): string | undefined {
  try {
    return text.length > maxCheckedChars ? undefined : scrub(text);
  } catch {
    return undefined;
  }
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
