/** A test of paths that asks about each of them once, and about no more than `maxLooks`; all others fail it. */
export function memoized(test: (path: string) => boolean, maxLooks: number): (path: string) => boolean {
  const known = new Map<string, boolean>();
  return (path) => {
    const answer = known.get(path);
    if (answer !== undefined || known.size >= maxLooks) return answer === true;
    const found = test(path);
    known.set(path, found);
    return found;
  };
}
