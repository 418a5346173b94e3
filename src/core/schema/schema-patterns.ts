/** Thrown when a check exceeds its bound of steps. */
export const tooMuchWork = new Error('the check takes too many steps');

/** The parts of a pattern: escapes, classes, groups, counts and single characters. */
export const patternTokens =
  /\\k<|\\[1-9]|\\.|\[(?:\\.|[^\]\\])*\]|\(\?(?:<?[=!])|\{(?<min>\d+)(?:,(?<max>\d*))?\}|[()]|./gsu;
// Syntax of other languages: escapes that JavaScript does not know, `[:alpha:]` and `{,9}` of Python or PCRE,
// delimiters of PHP.
const foreign = /\\[^\W\dbBdDwWsSnrtvfcxukpP_]|\[:[a-z]+:\]|\{,\d|^\/\^.*\/[a-z]*$/s;

/**
 * The flag with which JavaScript compiles a pattern: `u`, as JSON Schema requires, else none; undefined if it cannot
 * compile it.
 */
export function patternFlag(pattern: string): 'u' | '' | undefined {
  const reads = (flag: string) => {
    try {
      return new RegExp(pattern, flag) !== undefined;
    } catch {
      return false;
    }
  };
  if (foreign.test(pattern.replaceAll('\\\\', ''))) return undefined;
  return (['u', ''] as const).find(reads);
}

/** Whether a pattern has neither look-around nor back references, so that an engine of linear time can run it. */
export function isLinearPattern(pattern: string): boolean {
  return !Array.from(pattern.matchAll(patternTokens), ([token]) => token).some((token) =>
    /^(?:\\k<|\\[1-9]|\(\?)/.test(token),
  );
}

/**
 * Whether the engines of providers accept a pattern: it has no look-around, named groups, back references, `\p{…}`,
 * `\c` or `[^]`.
 */
export function isPortablePattern(pattern: string): boolean {
  return patternFlag(pattern) === 'u' && !/\\[0-9ckpP]|\(\?[^:]|\[\^?\]/.test(pattern.replaceAll('\\\\', ''));
}
