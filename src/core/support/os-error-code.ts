/** The code of an error of the operating system, such as `ENOENT`; undefined without a code. */
export function errorCode(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown) || typeof thrown.code !== 'string')
    return undefined;
  return thrown.code;
}

/** Whether an error says that a path, or a folder on the way to it, does not exist. */
export function isMissing(thrown: unknown): boolean {
  return /^(?:ENOENT|ENOTDIR)$/.test(errorCode(thrown) ?? '');
}

/**
 * The result of `work`; undefined if `work` throws an error of the operating system with this code, such as `ENOENT`.
 */
export function unless<Value>(code: string, work: () => Value): Value | undefined {
  try {
    return work();
  } catch (thrown) {
    return undefinedFor(code)(thrown);
  }
}

/**
 * Makes a handler for `catch` of a promise. The handler returns undefined for an error with this code, and throws any
 * other error again.
 */
export function undefinedFor(code: string): (thrown: unknown) => undefined {
  return (thrown) => {
    if (errorCode(thrown) !== code) throw thrown;
    return undefined;
  };
}
