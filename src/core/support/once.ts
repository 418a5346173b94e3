/**
 * Makes `load` run on the first call only: every caller gets its promise. What fails is tried again by the next caller.
 */
export function once<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loaded: Promise<Value> | undefined;
  return () => {
    loaded ??= load().catch((thrown: unknown) => {
      loaded = undefined;
      throw thrown;
    });
    return loaded;
  };
}
