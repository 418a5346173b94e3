/** Thrown when a check exceeds its bound of steps. */
export const tooMuchWork = new Error('the check takes too many steps');

/**
 * The parts of a pattern: escapes, classes, groups, counts and single characters. A class without an end is one part:
 * reading each of its brackets up to the end of the pattern would take quadratic time (ReDoS).
 */
export const patternTokens =
  /\\k<|\\[1-9]|\\.|\[(?:\\.|[^\]\\])*\]?|\(\?(?:<?[=!])|\{(?<min>\d+)(?:,(?<max>\d*))?\}|[()]|./gsu;
// Syntax of other languages that JavaScript without `u` reads as literal text: unknown escapes, and `{,9}` of Python. A
// class within a class also leaves a literal `]`; `patternFlag` checks for it.
const foreignWithoutFlag =
  /\\(?:[^\W\dbBdDwWsSnrtvfcxu_]|[<>]|c(?![A-Za-z])|x(?![\da-fA-F]{2})|u(?![\da-fA-F]{4}))|\{,\d/;
const escapesAndClasses = /\\.|\[(?:\\.|[^\]\\])*\]?/gs;

/**
 * The flag with which JavaScript compiles a pattern: `u`, as JSON Schema requires, or none if the pattern compiles only
 * without `u`. Undefined if the pattern does not compile, or may be written for another language.
 */
export function patternFlag(pattern: string): 'u' | '' | undefined {
  const compiles = (flag: string) => {
    try {
      return new RegExp(pattern, flag) !== undefined;
    } catch {
      return false;
    }
  };
  const bare = pattern.replaceAll('\\\\', '');
  if (isForeign(bare)) return undefined;
  if (compiles('u')) return 'u';
  if (foreignWithoutFlag.test(bare) || bare.replaceAll(escapesAndClasses, '').includes(']')) return undefined;
  return compiles('') ? '' : undefined;
}

/**
 * Whether a pattern has parts that compile with the flag `u`, but mean something else in other languages: `[:alpha:]` of
 * POSIX, `&&` in a class of Java, delimiters of PHP or JavaScript around the whole pattern.
 */
function isForeign(pattern: string): boolean {
  const parts: readonly string[] = pattern.match(patternTokens) ?? [];
  if (parts.some((part) => /^\[.*(?:\[:[a-z]+:\]|&&)|^\[:[a-z]+:\]/s.test(part))) return true;
  const [delimiter = ''] = parts;
  const end = parts.lastIndexOf(delimiter);
  const isDelimited = /^[/~#@%]$/.test(delimiter) && end > 1 && parts.indexOf(delimiter, 1) === end;
  return isDelimited && /^[gimsuxyADJSUX]*$/.test(parts.slice(end + 1).join(''));
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
