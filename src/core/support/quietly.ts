/** Runs work and ignores its errors. */
export function quietly(work: () => unknown): void {
  try {
    const answer = work();
    if (answer !== undefined) Promise.resolve(answer).catch(() => {});
  } catch {
    // Ignored on purpose.
  }
}
