/** Makes a value on the first call only; every caller gets the same. */
export function lazily<Value>(make: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= make();
    return value;
  };
}
