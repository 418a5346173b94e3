/** Where to look for the match after this one; an empty match moves on by one character. */
export function nextPosition({ start, end }: { readonly start: number; readonly end: number }, text: string): number {
  if (end > start) return end;
  return end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1);
}
