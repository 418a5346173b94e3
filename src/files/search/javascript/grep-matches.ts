/** Where a match stands in a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * The first match at or after `position`. Nothing is found behind the last line feed, where no line is, and no empty
 * match inside a character.
 */
export function findMatch(expression: RegExp, text: string, position: number): Span | undefined {
  // An empty match inside a surrogate pair is the only one that ECMAScript finds there: everything else takes whole
  // characters.
  for (let from = position; from <= text.length; ) {
    expression.lastIndex = from;
    const match = expression.exec(text);
    if (match === null || (match.index === text.length && (text === '' || text.endsWith('\n')))) return undefined;
    if (match[0] !== '' || !isInsidePair(text, match.index))
      return { start: match.index, end: match.index + match[0].length };
    from = match.index + 1;
  }
  return undefined;
}

/** Where to look for the match after this one; an empty match moves on by one character. */
export function nextPosition({ start, end }: Span, text: string): number {
  if (end > start) return end;
  return end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1);
}

function isInsidePair(text: string, index: number): boolean {
  return index > 0 && (text.codePointAt(index - 1) ?? 0) > 0xffff;
}
