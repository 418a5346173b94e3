/** Takes credentials out of text: `text` of a scrubber. */
export type Scrub = (text: string) => string;

/** A part of a longer text, with what stands on both sides of it, as far as that is known. */
export interface TextPart {
  readonly before: string;
  readonly text: string;
  readonly after: string;
}

/** How much text beside a part is enough to recognise a credential that its edge cuts. */
export const besideChars = 4_096;

const plainMark = '[REDACTED]';
const openMark = /\[REDACTED[^\]\n]*$/;

/**
 * The part as it may be shown: as it is, still to be scrubbed, where no credential crosses an edge; otherwise scrubbed,
 * with `[REDACTED]` in place of what crosses. Something does where scrubbing gives something else for the part than
 * what it makes of it within the longer text.
 */
export function scrubPart(scrub: Scrub, { before, text, after }: TextPart): string {
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

/** How many characters both texts begin with, less the beginning of a mark. */
function sharedStart(left: string, right: string): number {
  const limit = Math.min(left.length, right.length);
  let length = 0;
  while (length < limit && left.charCodeAt(length) === right.charCodeAt(length)) length++;
  return openMark.exec(left.slice(0, length))?.index ?? length;
}

/** How many characters both texts end with, less the end of a mark. */
function sharedEnd(left: string, right: string): number {
  const limit = Math.min(left.length, right.length);
  let length = 0;
  while (length < limit && left.charCodeAt(left.length - 1 - length) === right.charCodeAt(right.length - 1 - length))
    length++;
  if (!openMark.test(left.slice(0, left.length - length))) return length;
  const rest = left.slice(left.length - length);
  return length - (rest.indexOf(']') + 1);
}
