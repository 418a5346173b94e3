/** Waits until `isTrue` returns true, at first by turns of the event loop. Fails if it never does. */
export async function until(isTrue: () => boolean): Promise<void> {
  for (let turn = 0; turn < 6_000; turn++) {
    // Work that was started before runs first.
    await new Promise((resolve) => (turn < 100 ? setImmediate(resolve) : setTimeout(resolve, 10)));
    if (isTrue()) return;
  }
  throw new Error(`never came: ${isTrue}`);
}
