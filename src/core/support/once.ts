/** Runs `load` on the first call; later calls share its promise. After a failure the next call runs it again. */
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
