/**
 * Up to `count` candidates that differ from `name` by typing errors or letter case, most similar first. If there are
 * none, returns the candidates whose words all occur in `name`, or that contain all words of `name`. For a name over
 * 100 characters, only the words in its first 100 characters are compared.
 */
export function nearNames(name: string, candidates: Iterable<string>, count = 3): string[] {
  const names = [...candidates];
  const similar = slipsOf(name, names, 2);
  return (similar.length > 0 ? similar : sharingWords(name, names)).slice(0, count);
}

/** The candidates within `limit` typing errors of a name, letter case ignored, most similar first. */
export function slipsOf(name: string, candidates: Iterable<string>, limit: number): string[] {
  const wanted = fold(name);
  if (wanted.length === 0 || wanted.length > 100) return [];
  const near: { readonly candidate: string; readonly distance: number }[] = [];
  for (const candidate of candidates) {
    if (candidate.length > 100) continue;
    const distance = editDistance(wanted, fold(candidate), limit);
    if (distance <= limit && distance < wanted.length) near.push({ candidate, distance });
  }
  near.sort((left, right) => left.distance - right.distance);
  return near.map(({ candidate }) => candidate);
}

function sharingWords(name: string, candidates: readonly string[]): string[] {
  const wanted = wordsOf(name);
  const isNear = (words: readonly string[]) =>
    words.every((word) => wanted.includes(word)) || wanted.every((word) => words.includes(word));
  return candidates.filter(
    (candidate) => wanted.length > 0 && wordsOf(candidate).length > 0 && isNear(wordsOf(candidate)),
  );
}

/** The words of a name such as `readFile`, `ReadFile` or `read_file`, in lower case. */
function wordsOf(name: string): string[] {
  return (name.slice(0, 100).match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [])
    .filter((word) => word.length > 1)
    .map((word) => word.toLowerCase());
}

/** ` Did you mean "A" or "B"?`, or an empty text. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const near = nearNames(name, candidates);
  return near.length === 0 ? '' : ` Did you mean ${near.map((candidate) => JSON.stringify(candidate)).join(' or ')}?`;
}

/** The message for an unknown name, with similar names and the first 50 names of `shown`. */
export function noSuch(what: string, name: string, known: readonly string[], shown = known): string {
  const there = shown.length === 0 ? 'There are none.' : `There are: ${shown.slice(0, 50).join(', ')}.`;
  return `there is no ${what} ${JSON.stringify(name)}.${didYouMean(name, known)} ${there}`;
}

function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[-_\s]/g, '');
}

/** Edit distance in which a swap of neighbours counts once; `limit + 1` for any distance above `limit`. */
function editDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) > limit) return limit + 1;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1];
      let cost = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]) {
        cost = Math.min(cost, at(beforePrevious, column - 2) + 1);
      }
      current.push(cost);
    }
    if (Math.min(...current) > limit) return limit + 1;
    beforePrevious = previous;
    previous = current;
  }
  return at(previous, right.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
