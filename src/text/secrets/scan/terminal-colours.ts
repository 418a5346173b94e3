/**
 * A colour, or another sequence that programs write around one (ECMA-48, sections 5.4 and 8.3): to erase the line, to
 * choose a set of characters.
 */
const rendition = String.raw`(?:(?:\x1b\[|\x9b)[\d;:?]{0,20}[@-~]|\x1b[()][A-Z0-9])`;
const sign = String.raw`[\\"'\x60\] \t=:>,(*!]`;
const colour = new RegExp(rendition, 'g');
const colouredBorder = new RegExp(`${sign}{0,12}${rendition}(?:${rendition}|${sign}){0,24}`, 'y');
const colourStart = /^[\d;:?]{0,20}[@-~]/;
/**
 * As much in front of a border and behind it as a name and its value are judged by; no value goes on behind a line or a
 * colour.
 */
const maxBefore = 160;
const valueEnd = String.raw`\n\x1b\x9b`;
const valueForm = new RegExp(`[^${valueEnd}]{0,640}[${valueEnd}]?`, 'y');

/** A part of a text without the colours that stand in the border between a name and its value. */
export interface Uncoloured {
  readonly text: string;
  /** Where the part begins in the whole text, and where the border does. */
  readonly from: number;
  readonly at: number;
  /** Where the border ends: in the part, and in the whole text. */
  readonly end: number;
  readonly wholeEnd: number;
}

/**
 * The surroundings of the border at `at` between a name and its value, where colours stand in it; undefined where none
 * do.
 */
export function withoutColours(text: string, at: number): Uncoloured | undefined {
  colouredBorder.lastIndex = at;
  if (!colouredBorder.test(text)) return undefined;
  const wholeEnd = colouredBorder.lastIndex;
  valueForm.lastIndex = wholeEnd;
  valueForm.test(text);
  const from = Math.max(0, at - maxBefore);
  const border = text.slice(at, wholeEnd).replace(colour, '');
  const part = text.slice(from, at) + border + text.slice(wholeEnd, valueForm.lastIndex);
  return { text: part, from, at, end: at - from + border.length, wholeEnd };
}

/**
 * The place in the whole text of a place in the part. A value may begin with a sign that looks like the border; then
 * all of the border is withheld with it.
 */
export function placeInWhole({ from, at, end, wholeEnd }: Uncoloured, place: number): number {
  return place >= end ? place - end + wholeEnd : Math.min(at, from + place);
}

/** How many characters at the start of a name belong to the colour in front of it. */
export function colourBefore(text: string, start: number, end: number): number {
  if (text.charCodeAt(start - 1) !== 91 || text.charCodeAt(start - 2) !== 27) return 0;
  return colourStart.exec(text.slice(start, end))?.[0].length ?? 0;
}
