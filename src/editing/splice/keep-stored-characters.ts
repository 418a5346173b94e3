/**
 * The new lines with what they share with the old ones, at the start and at the end of a line, written as the file has
 * it. `stored` are the old lines as they stand in the file, the same but for characters that look alike. Lines
 * correspond one to one, or else the first and the last.
 */
export function keepCharacters(
  stored: readonly string[],
  oldLines: readonly string[],
  newLines: readonly string[],
): string[] {
  const shift = oldLines.length - newLines.length;
  return newLines.map((line, index) => {
    const front = shift === 0 || index === 0 ? index : -1;
    const back = shift === 0 || index === newLines.length - 1 ? index + shift : -1;
    const [first = '', last = ''] = [oldLines[front], oldLines[back]];
    const before = sharedStart(first, line);
    const after = sharedEnd(last, line, Math.min(line.length - before, last.length - (front === back ? before : 0)));
    const tail = stored[back] ?? '';
    return (
      (stored[front] ?? '').slice(0, before) + line.slice(before, line.length - after) + tail.slice(tail.length - after)
    );
  });
}

/** How many code units both begin with, without half a character. */
function sharedStart(left: string, right: string): number {
  let count = 0;
  while (count < Math.min(left.length, right.length) && left[count] === right[count]) count++;
  return count > 0 && /[\ud800-\udbff]/.test(left.charAt(count - 1)) ? count - 1 : count;
}

function sharedEnd(left: string, right: string, most: number): number {
  let count = 0;
  while (count < most && left.at(-1 - count) === right.at(-1 - count)) count++;
  return count > 0 && /[\udc00-\udfff]/.test(left.charAt(left.length - count)) ? count - 1 : count;
}
