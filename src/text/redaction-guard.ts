import { marksIn } from './redaction-marks.js';
import type { Scrub } from './scrub-part.js';

// To scrub more takes too long for what depends on it; then a mark counts as doubtful.
const maxCheckedChars = 4_000_000;

/** Tells marks that a text holds for themselves from those that were shown in place of its secrets. */
export class RedactionGuard {
  readonly #content: () => string;
  readonly #scrub: Scrub | false;
  #texts: { readonly content: string; readonly shown: string } | 'unknown' | undefined;

  /** Nothing is looked at before a mark is asked about. */
  constructor(content: () => string, scrub: Scrub | false) {
    this.#content = content;
    this.#scrub = scrub;
  }

  /** True where the text was shown with more of these marks than it holds, so that one of them may stand for a secret. */
  mayHide(mark: string): boolean {
    if (this.#scrub === false) return false;
    this.#texts ??= compared(this.#content(), this.#scrub);
    if (this.#texts === 'unknown') return true;
    // What is only like a mark may have been any of them.
    const counted = mark.startsWith('[REDACTED') ? mark : '[REDACTED';
    return countOf(this.#texts.shown, counted) > countOf(this.#texts.content, counted);
  }

  /** A mark of which the new text holds more than the old one, and which may stand for a secret. */
  doubtfulByCount(newText: string, oldText: string): string | undefined {
    const left = countEach(marksIn(oldText));
    return marksIn(newText).find((mark) => !take(left, mark) && this.mayHide(mark));
  }

  /**
   * A mark that may stand for a secret, on a line that is not one of the old lines as they are. A line of which the old text was shown more often than
   * it holds it may stand for a secret as well.
   */
  doubtfulByLine(newText: string, oldText: () => string): string | undefined {
    if (marksIn(newText).length === 0) return undefined;
    const doubtful = (line: string) => marksIn(line).find((mark) => this.mayHide(mark));
    const lines = linesOf(newText).filter((line) => doubtful(line) !== undefined);
    if (lines.length === 0 || this.#scrub === false) return undefined;
    const old = oldText();
    const held = countEach(linesOf(old));
    const shown = countEach(linesOf(this.#scrub(old)));
    const hiding = new Set(lines.filter((line) => (shown.get(line) ?? 0) > (held.get(line) ?? 0)));
    const found = lines.find((line) => hiding.has(line) || !take(held, line));
    return found === undefined ? undefined : doubtful(found);
  }
}

function compared(content: string, scrub: Scrub): { readonly content: string; readonly shown: string } | 'unknown' {
  return content.length > maxCheckedChars ? 'unknown' : { content, shown: scrub(content) };
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/);
}

function countEach(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

function take(counts: Map<string, number>, text: string): boolean {
  const count = counts.get(text) ?? 0;
  counts.set(text, count - 1);
  return count > 0;
}

function countOf(text: string, part: string): number {
  return text.split(part).length - 1;
}
