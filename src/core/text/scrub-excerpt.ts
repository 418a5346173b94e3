/** Removes credentials from a text; the method `text` of a scrubber. */
export type Scrub = (text: string) => string;

/** A part of a longer text, with the known text on both sides of it. */
export interface TextPart {
  readonly before: string;
  readonly text: string;
  readonly after: string;
}

/** The characters on each side of a part that suffice to recognise a credential across an edge of the part. */
export const besideChars = 4_096;

const plainMark = '[REDACTED]';
const openMark = /\[REDACTED[^\]\n]*$/;

/**
 * Hides credentials that cross an edge of a part. If there are none, returns the part unscrubbed: the caller scrubs the
 * result. Otherwise returns the scrubbed part, with `[REDACTED]` at the cut. A credential crosses an edge if scrubbing
 * the part alone gives a different result than scrubbing the part within the longer text.
 */
export function scrubExcerpt(scrub: Scrub, { before, text, after }: TextPart): string {
  if (before === '' && after === '') return text;
  const context = before + text + after;
  const whole = scrub(context);
  if (whole === context) return text;
  const own = scrub(text);
  const onward = after === '' ? own : scrub(text + after);
  const from = onward.length - sharedEnd(whole, onward);
  const until = sharedStart(onward, own);
  const endsWhole = until === own.length;
  if (from === 0 && endsWhole) return text;
  return (from === 0 ? '' : plainMark) + onward.slice(from, until) + (endsWhole ? '' : plainMark);
}

/** The length of the common start of both texts, without an unfinished mark. */
function sharedStart(left: string, right: string): number {
  const limit = Math.min(left.length, right.length);
  let length = 0;
  while (length < limit && left.charCodeAt(length) === right.charCodeAt(length)) length++;
  return openMark.exec(left.slice(0, length))?.index ?? length;
}

/** The length of the common end of both texts, without an unfinished mark. */
function sharedEnd(left: string, right: string): number {
  const limit = Math.min(left.length, right.length);
  let length = 0;
  while (length < limit && left.charCodeAt(left.length - 1 - length) === right.charCodeAt(right.length - 1 - length))
    length++;
  if (!openMark.test(left.slice(0, left.length - length))) return length;
  const rest = left.slice(left.length - length);
  return length - (rest.indexOf(']') + 1);
}
