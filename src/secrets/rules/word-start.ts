/** The end of an escape in code or in an address, of a terminal sequence, or of one whose start is cut off. */
const escapeEnd = new RegExp(
  [
    String.raw`\\[nrtbfv]|\\u[\da-f]{4}|\\x[\da-f]{2}|%[\da-f]{2}|\[[\d;]{0,12}m`,
    String.raw`(?:(?:\\(?:x1b|u001b|u\{1b\}|e|033)|\^\[|[\x1b\u241b])\[|\x9b)[0-?]{0,40}[ -/]{0,2}[@-~]`,
    String.raw`\x1b[ -/]{0,2}[0-~]`,
  ]
    .map((form) => `(?:${form})$`)
    .join('|'),
  'i',
);
const maxEscapeChars = 56;

/**
 * Whether a word starts here: after any character but a letter or digit, or after an escape such as `\n`, `%3D` or a
 * colour. Reads no further back than `lookbackStart`.
 */
export function startsWord(text: string, start: number, lookbackStart: number): boolean {
  if (start === lookbackStart || !/[A-Za-z0-9]{2}/.test(text.slice(start - 1, start + 1))) return true;
  return endsEscape(text, start, lookbackStart);
}

function endsEscape(text: string, end: number, lookbackStart: number): boolean {
  return escapeEnd.test(text.slice(Math.max(lookbackStart, end - maxEscapeChars), end));
}

/** Whether a run of word characters, `.`, `~` and `-` starts at `start` and reaches `end`. */
export function startsRun(text: string, start: number, end: number, lookbackStart: number): boolean {
  if (start < lookbackStart || !/^[\w.~-]*$/.test(text.slice(start, end))) return false;
  return start === lookbackStart || !/[\w.~-]/.test(text[start - 1] ?? '') || endsEscape(text, start, lookbackStart);
}
