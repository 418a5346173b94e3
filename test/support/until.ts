/** Waits until `isTrue`, at first turn by turn of the event loop; fails where that never comes. */
export async function until(isTrue: () => boolean): Promise<void> {
  for (let turn = 0; turn < 6_000; turn++) {
    // What was begun before comes first.
    await new Promise((resolve) => (turn < 100 ? setImmediate(resolve) : setTimeout(resolve, 10)));
    if (isTrue()) return;
  }
  throw new Error(`never came: ${isTrue}`);
}
