/** A text without its middle. */
interface CutText {
  readonly head: string;
  readonly tail: string;
  /** The number of characters between head and tail. */
  readonly omitted: number;
}

/**
 * Keeps the head and the tail of a text: two thirds and one third of `maxChars`. Cuts at a line break if one is near,
 * and never inside a surrogate pair. Undefined when the text fits.
 */
export function cutMiddle(text: string, maxChars: number): CutText | undefined {
  if (text.length <= maxChars) return undefined;
  const head = headOf(text, Math.ceil((maxChars * 2) / 3));
  const tail = tailOf(text, Math.floor(maxChars / 3));
  return { head, tail, omitted: text.length - head.length - tail.length };
}

/** A text of at most about `maxChars`: its head and tail, with the number of omitted characters between them. */
export function cutTo(maxChars: number, text: string): string {
  const cut = cutMiddle(text, maxChars);
  return cut === undefined ? text : `${cut.head}\n[${cut.omitted} characters omitted]\n${cut.tail}`;
}

/** `index`, or `index - 1` if `index` is in the middle of a surrogate pair. */
export function wholeCharacter(text: string, index: number): number {
  return startsInPair(text, index) ? index - 1 : index;
}

/** The first `maxChars` characters of a text; one character less if the cut would split a surrogate pair. */
export function firstChars(text: string, maxChars: number): string {
  return text.slice(0, wholeCharacter(text, maxChars));
}

/** The first `maxChars` of a text, up to the end of a line where one is near; never half of a surrogate pair. */
export function headOf(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const cut = firstChars(text, maxChars);
  const line = cut.lastIndexOf('\n') + 1;
  return line > maxChars - slack(maxChars) ? cut.slice(0, line) : cut;
}

/** The last `maxChars` of a text, from the start of a line where one is near; never half of a surrogate pair. */
export function tailOf(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const start = text.length - maxChars;
  const cut = text.slice(startsInPair(text, start) ? start + 1 : start);
  const line = cut.indexOf('\n') + 1;
  return line > 0 && line < slack(maxChars) ? cut.slice(line) : cut;
}

/** The most characters that may be dropped so that a cut falls between two lines. */
function slack(maxChars: number): number {
  return Math.min(500, maxChars / 4);
}

function startsInPair(text: string, index: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(Math.max(0, index - 1), index + 1));
}
