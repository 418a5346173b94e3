/** The first `maxChars` of a text, up to the end of a line where one is near; never half of a surrogate pair. */
export function headOf(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const cut = text.slice(0, startsInPair(text, maxChars) ? maxChars - 1 : maxChars);
  const line = cut.lastIndexOf('\n') + 1;
  return line > maxChars - slack(maxChars) ? cut.slice(0, line) : cut;
}

/** The last `maxChars` of a text, from the start of a line where one is near; never half of a surrogate pair. */
export function tailOf(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const start = text.length - maxChars;
  const cut = text.slice(startsInPair(text, start) ? start + 1 : start);
  const line = cut.indexOf('\n') + 1;
  return line > 0 && line < slack(maxChars) ? cut.slice(line) : cut;
}

/** Characters that may be dropped so that the window ends with a whole line. */
function slack(maxChars: number): number {
  return Math.min(500, maxChars / 4);
}

function startsInPair(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc00 && unit <= 0xdfff && index > 0;
}
