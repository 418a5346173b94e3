/**
 * A colour, or another sequence that programs write around one (ECMA-48, sections 5.4 and 8.3): to erase the line, to
 * choose a set of characters.
 */
const rendition = String.raw`(?:(?:\x1b\[|\x9b)[\d;:?]{0,20}[@-~]|\x1b[()][A-Z0-9])`;
const colours = new RegExp(rendition, 'g');
const sign = String.raw`[\\"'\x60\] \t=:>,(*!]`;
const border = new RegExp(`${sign}{0,12}${rendition}(?:${rendition}|${sign}){0,24}`, 'y');
const lineOrColour = String.raw`\n\x1b\x9b`;
const valueForm = new RegExp(`[^${lineOrColour}]{0,640}[${lineOrColour}]?`, 'y');
const colourStart = /^[\d;:?]{0,20}[@-~]/;

/** A text with blanks in place of colours. */
export function withBlankColours(text: string): string {
  return text.includes('\x1b') || text.includes('\x9b')
    ? text.replace(colours, (colour) => ' '.repeat(colour.length))
    : text;
}

/** Where the border that begins at `at` between a name and its value ends; undefined where no colour stands in it. */
export function colouredBorderEnd(text: string, at: number): number | undefined {
  border.lastIndex = at;
  return border.test(text) ? border.lastIndex : undefined;
}

/** How far a value at `at` may reach at the most: no value goes on behind a line or a colour. */
export function valueLimit(text: string, at: number): number {
  valueForm.lastIndex = at;
  return valueForm.test(text) ? valueForm.lastIndex : at;
}

/** A text without its colours. */
export function withoutColours(text: string): string {
  return text.replace(colours, '');
}

/** How many characters at the start of a name belong to the colour in front of it. */
export function colourBefore(text: string, start: number, end: number): number {
  if (text.charCodeAt(start - 1) !== 91 || text.charCodeAt(start - 2) !== 27) return 0;
  return colourStart.exec(text.slice(start, end))?.[0].length ?? 0;
}
