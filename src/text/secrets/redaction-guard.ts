import { type HidingLine, hidingLines, linesOf, type MarkedLine, markedLines } from './redaction-lines.js';
import { marksIn, withPlainMarks } from './redaction-marks.js';
import type { Scrub } from './scrub-text-part.js';

/** A mark that may not be written, and why: it may stand for a secret, or the old text is not checked for one. */
export interface DoubtfulMark {
  readonly mark: string;
  readonly reason: 'hides' | 'too-large' | 'unchecked';
}

/** The old text as it was shown, and its lines that hide something. */
interface Checked {
  readonly shown: string;
  readonly hiding: readonly HidingLine[];
}

/** Picks a doubtful line of the new ones that hold a mark, by those of the old text. */
type Judge = (
  lines: readonly MarkedLine[],
  held: readonly MarkedLine[],
  hiding: readonly HidingLine[],
) => MarkedLine | undefined;

// To scrub more takes too long for what depends on it.
const maxCheckedChars = 4_000_000;

/**
 * Tells marks that a text holds for itself from those that were shown in place of its secrets. The text is scrubbed
 * again, as it was when it was shown; each line that differs hides something. A text of more than four million
 * characters is not scrubbed; there, and where scrubbing fails, a mark passes only on lines that the text holds as they
 * are. Nothing is looked at before a mark is asked about.
 */
export class RedactionGuard {
  readonly #oldText: () => string;
  readonly #scrub: Scrub | false;

  /** With `false` for `scrub` nothing was hidden, and nothing is doubtful. */
  constructor(oldText: () => string, scrub: Scrub | false) {
    this.#oldText = oldText;
    this.#scrub = scrub;
  }

  /**
   * Judges a text that replaces all of the old one. Doubtful is a line that was shown for a secret, where the new text
   * holds it more often than the old one does for itself; and a mark behind the words that stand before a secret, where
   * the line with that secret is gone.
   */
  inWhole(newText: string): DoubtfulMark | undefined {
    return this.#doubtful(newText, (lines, held, hiding) => {
      const kept = new Set(linesOf(newText).map((line) => line.trim()));
      const hidingKeys = keysOf(hiding);
      const goneKeys = keysOf(hiding.filter(({ text }) => !kept.has(text)));
      const isOwnForm = taker(held.map(({ form }) => form));
      const isAsItWas = taker(held.map(({ text }) => text));
      return lines.find(({ text, form, keys }) => {
        const [formKey, ...prefixes] = keys();
        const isForm = hidingKeys.has(formKey);
        if (isForm && (!isOwnForm(form) || goneKeys.has(formKey))) return true;
        return !isAsItWas(text) && prefixes.some((key) => goneKeys.has(key));
      });
    });
  }

  /**
   * Judges a text in which the parts replaced became `part`. Doubtful is a line like one that was shown for a secret,
   * up to the mark, of which the old text holds fewer for itself. The whole text is made only where the part holds a
   * mark.
   */
  afterEdit(part: string, newText: () => string): DoubtfulMark | undefined {
    if (this.#scrub === false || marksIn(part).length === 0) return undefined;
    return this.#doubtful(newText(), (lines, held, hiding) => {
      const hidingKeys = keysOf(hiding);
      const likeHiding = ({ keys }: MarkedLine) => keys().filter((key) => hidingKeys.has(key));
      const isOwn = taker(held.flatMap(likeHiding));
      return lines.find((line) => likeHiding(line).map(isOwn).includes(false));
    });
  }

  /** The mark for which a text is not found: where all of it, or a line of it, is what was shown for a secret. */
  inMissing(wanted: string): string | undefined {
    const [first] = marksIn(wanted);
    if (this.#scrub === false || first === undefined) return undefined;
    const old = this.#oldText();
    const checked = check(old, this.#scrub);
    if (typeof checked === 'string' || checked.hiding.length === 0) return undefined;
    if (comparable(checked.shown).includes(comparable(wanted))) return first;
    const forms = checked.hiding.map(({ form }) => form);
    const [known, joined] = [new Set(forms), forms.join('\n')];
    const lines = markedLines(wanted);
    // Only the first and the last line can be a part of one.
    const isShown = (form: string, index: number) =>
      index === 0 || index === lines.length - 1 ? joined.includes(form) : known.has(form);
    return lines.find(({ text, form }, index) => isShown(form, index) && !old.includes(text))?.mark;
  }

  #doubtful(newText: string, judge: Judge): DoubtfulMark | undefined {
    if (this.#scrub === false) return undefined;
    const lines = markedLines(newText);
    if (lines.length === 0) return undefined;
    const old = this.#oldText();
    const checked = check(old, this.#scrub);
    if (typeof checked !== 'string' && checked.hiding.length === 0) return undefined;
    const held = markedLines(old);
    if (typeof checked !== 'string') return doubtful(judge(lines, held, checked.hiding), 'hides');
    const heldTexts = new Set(held.map(({ text }) => text));
    return doubtful(
      lines.find(({ text }) => !heldTexts.has(text)),
      checked,
    );
  }
}

/** A clause that says why, for a message. */
export function doubtfulWords({ mark, reason }: DoubtfulMark, path: string): string {
  if (reason === 'hides')
    return (
      `${mark} may stand for a secret of ${path} that was shown like it, and writing the mark would destroy or ` +
      'hide it'
    );
  const why = reason === 'too-large' ? 'is too large to be checked for secrets' : 'could not be checked for secrets';
  return `${path} ${why}, so ${mark} can only be written on lines that it holds as they are`;
}

// A scrubber of the host's own may fail, or not keep to the lines.
function check(text: string, scrub: Scrub): Checked | 'too-large' | 'unchecked' {
  if (text.length > maxCheckedChars) return 'too-large';
  try {
    const shown = scrub(text);
    const hiding = hidingLines(text, shown);
    return hiding === undefined ? 'unchecked' : { shown, hiding };
  } catch {
    return 'unchecked';
  }
}

function doubtful(line: MarkedLine | undefined, reason: DoubtfulMark['reason']): DoubtfulMark | undefined {
  return line && { mark: line.mark, reason };
}

function comparable(text: string): string {
  return linesOf(withPlainMarks(text)).join('\n');
}

function keysOf(lines: readonly HidingLine[]): Set<string> {
  return new Set(lines.flatMap(({ keys }) => keys));
}

/** Takes one of the given texts away at each call, and tells whether there was one. */
function taker(texts: readonly string[]): (text: string) => boolean {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return (text) => {
    const count = counts.get(text) ?? 0;
    counts.set(text, count - 1);
    return count > 0;
  };
}
