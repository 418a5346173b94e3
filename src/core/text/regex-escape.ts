/** The source of a regular expression that matches only this text. In a class a hyphen still means a range. */
export function escapedForRegex(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
