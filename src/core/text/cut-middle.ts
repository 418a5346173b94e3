/** A text without its middle. */
export interface CutText {
  readonly head: string;
  readonly tail: string;
  /** Characters between them. */
  readonly omitted: number;
}

/**
 * Keeps the head and the tail of a text: two thirds and one third of `maxChars`. Cuts at a line break if one is near,
 * and never inside a surrogate pair. Undefined when the text fits.
 */
export function cutMiddle(text: string, maxChars: number): CutText | undefined {
  if (text.length <= maxChars) return undefined;
  const headEnd = lineBreakBefore(text, wholeCharacter(text, Math.ceil((maxChars * 2) / 3)));
  const tailStart = lineBreakAfter(text, wholeCharacter(text, text.length - Math.floor(maxChars / 3)));
  return { head: text.slice(0, headEnd), tail: text.slice(tailStart), omitted: tailStart - headEnd };
}

/** Moves an index off the middle of a surrogate pair. */
function wholeCharacter(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return index > 0 && code >= 0xdc00 && code <= 0xdfff ? index - 1 : index;
}

const maxShift = 200;

function lineBreakBefore(text: string, index: number): number {
  const found = text.lastIndexOf('\n', index - 1);
  return found >= index - maxShift && found > 0 ? found + 1 : index;
}

function lineBreakAfter(text: string, index: number): number {
  const found = text.indexOf('\n', index);
  return found !== -1 && found < index + maxShift && found + 1 < text.length ? found + 1 : index;
}
