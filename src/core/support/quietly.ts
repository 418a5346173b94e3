/** Does work whose errors nobody needs: what it throws or rejects with is ignored. */
export function quietly(work: () => unknown): void {
  try {
    const answer = work();
    if (answer !== undefined) Promise.resolve(answer).catch(() => {});
  } catch {
    // See above.
  }
}
