/** The number of lines of a text; a final line break does not begin another line. */
export function countLines(text: string): number {
  const count = lineFeedsIn(text);
  return text === '' || text.endsWith('\n') ? count : count + 1;
}

/** The number of line feeds in a text, or in a part of it. */
export function lineFeedsIn(text: string, from = 0, until = text.length): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < until; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** `1 line`, `3 lines`. */
export function lineCount(count: number): string {
  return count === 1 ? '1 line' : `${count} lines`;
}

/** Indents each line of a text, so that no line can be mistaken for a line of the surrounding text. */
export function indented(text: string): string {
  return text.replace(/^|\r\n|[\n\r\v\f\u0085\u2028\u2029]/g, '$&  ');
}

/** A size for people: `512 bytes`, `12.3 KB`, `1.5 GB`; one kilobyte is 1,024 bytes. */
export function formatSize(bytes: number): string {
  if (bytes < 1_024) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  const units = ['KB', 'MB', 'GB', 'TB'];
  let value = bytes / 1_024;
  let unit = 0;
  while (value >= 1_024 && unit < units.length - 1) {
    value /= 1_024;
    unit++;
  }
  return `${value.toFixed(value < 10 ? 1 : 0)} ${units[unit]}`;
}
