const mark = /\[REDACTED[^\]\n]*\]/g;

/** The redaction marks in a text that the file does not hold itself: a secret was hidden there when the text was read. */
export function foreignMarks(text: string, holds: (mark: string) => boolean): string[] {
  if (!text.includes('[REDACTED')) return [];
  return [...new Set(text.match(mark) ?? [])].filter((found) => !holds(found));
}
