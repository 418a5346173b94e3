/** The number of lines of a text; a final line break ends a line and begins none. */
export function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return text === '' || text.endsWith('\n') ? count : count + 1;
}

/** `1 line`, `3 lines`. */
export function lineCount(count: number): string {
  return count === 1 ? '1 line' : `${count} lines`;
}

/** A text with each of its lines moved in, so that none can be taken for a line of what stands around it. */
export function indented(text: string): string {
  return text.replace(/^|\r\n|[\n\r\v\f\u0085\u2028\u2029]/g, '$&  ');
}
