/**
 * A colour sequence, or another sequence that programs write next to a colour (ECMA-48, sections 5.4 and 8.3): to erase
 * the line, or to select a character set.
 */
export const rendition = String.raw`(?:(?:\x1b\[|\x9b)[\d;:?]{0,20}[@-~]|\x1b[()][A-Z0-9])`;
const colours = new RegExp(rendition, 'g');
const sign = String.raw`[\\"'\x60\] \t=:>,(*!]`;
const border = new RegExp(`${sign}{0,12}${rendition}(?:${rendition}|${sign}){0,24}`, 'y');
const colourStart = /^[\d;:?]{0,20}[@-~]/;

/** Replaces colours by spaces. */
export function withBlankColours(text: string): string {
  return text.replace(colours, (colour) => ' '.repeat(colour.length));
}

/** The end of the separator at `at` between a name and its value; undefined if it contains no colour. */
export function colouredBorderEnd(text: string, at: number): number | undefined {
  border.lastIndex = at;
  return border.test(text) ? border.lastIndex : undefined;
}

export function withoutColours(text: string): string {
  return text.includes('\x1b') || text.includes('\x9b') ? text.replace(colours, '') : text;
}

/** The number of characters at the start of a name that belong to the colour before it. */
export function colourBefore(text: string, start: number, end: number): number {
  if (text.charCodeAt(start - 1) !== 91 || text.charCodeAt(start - 2) !== 27) return 0;
  return colourStart.exec(text.slice(start, end))?.[0].length ?? 0;
}

/**
 * The prefix that a tool writes before a line: a line number (`cat -n`, `grep -n`), a file or a service, then the sign
 * of a diff. The indentation after the prefix is not included.
 */
export const linePrefix = String.raw`(?:[ \t]{0,8}\d{1,9}[\t→]|\d{1,9}[:-]|[^\s:]{1,160}?[:-]\d{1,9}[:-]|[\w.-]{1,40}[ \t]{0,20}\| )?(?:[+-](?!----[^-]))?`;
