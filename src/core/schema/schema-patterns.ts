/** Thrown when a check exceeds its bound of steps. */
export const tooMuchWork = new Error('the check takes too many steps');

/** The parts of a pattern: escapes, classes, groups, counts and single characters. */
export const patternTokens =
  /\\k<|\\[1-9]|\\.|\[(?:\\.|[^\]\\])*\]|\(\?(?:<?[=!])|\{(?<min>\d+)(?:,(?<max>\d*))?\}|[()]|./gsu;
// Parts that compile with the flag `u`, but mean something else in other languages: `[:alpha:]` of POSIX, `&&` in a
// class of Java, delimiters of PHP or JavaScript around the whole pattern.
const foreign = /\[:[a-z]+:\]|\[[^\]]*&&|^([/~#@%])(?:\\.|\[(?:\\.|[^\]\\])*\]|(?!\1)[^\\])+\1[gimsuxyADJSUX]*$/s;
// Without `u` JavaScript reads an unknown escape, `{,9}` of Python, and the rest of a class within a class as literal text.
const foreignWithoutFlag =
  /\\(?:[^\W\dbBdDwWsSnrtvfcxu_]|[<>]|c(?![A-Za-z])|x(?![\da-fA-F]{2})|u(?![\da-fA-F]{4}))|\{,\d/;
const escapesAndClasses = /\\.|\[(?:\\.|[^\]\\])*\]/gs;

/**
 * The flag with which JavaScript compiles a pattern: `u`, as JSON Schema requires, else none; undefined if the pattern
 * does not compile, or may be meant for another language.
 */
export function patternFlag(pattern: string): 'u' | '' | undefined {
  const reads = (flag: string) => {
    try {
      return new RegExp(pattern, flag) !== undefined;
    } catch {
      return false;
    }
  };
  const bare = pattern.replaceAll('\\\\', '');
  if (foreign.test(bare)) return undefined;
  if (reads('u')) return 'u';
  if (foreignWithoutFlag.test(bare) || bare.replaceAll(escapesAndClasses, '').includes(']')) return undefined;
  return reads('') ? '' : undefined;
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
