/** The number of lines of a text; a final line break does not begin another line. */
export function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return text === '' || text.endsWith('\n') ? count : count + 1;
}

/** `1 line`, `3 lines`. */
export function lineCount(count: number): string {
  return count === 1 ? '1 line' : `${count} lines`;
}

/** Indents each line of a text, so that no line of it passes for a line of the surrounding text. */
export function indented(text: string): string {
  return text.replace(/^|\r\n|[\n\r\v\f\u0085\u2028\u2029]/g, '$&  ');
}
