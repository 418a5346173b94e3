/** Thrown where a check is given up: it takes too many steps. */
export const tooMuchWork = new Error('the check takes too many steps');

/** The parts of a pattern: escapes, classes, groups, counts and single characters. */
export const patternTokens =
  /\\k<|\\[1-9]|\\.|\[(?:\\.|[^\]\\])*\]|\(\?(?:<?[=!])|\{(?<min>\d+)(?:,(?<max>\d*))?\}|[()]|./gsu;
// Letters after a backslash that JavaScript does not know, `[:alpha:]` and `{,9}` are of Python or PCRE, delimiters of PHP.
const foreign = /\\[^\W\dbBdDwWsSnrtvfcxukpP_]|\[:[a-z]+:\]|\{,\d|^\/\^.*\/[a-z]*$/s;

/** How JavaScript reads a pattern: with the flag `u`, as JSON Schema says, without it, or not at all. */
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

/** Whether a pattern has neither look-around nor back references, so that its time can grow with the text only. */
export function isLinearPattern(pattern: string): boolean {
  return !Array.from(pattern.matchAll(patternTokens), ([token]) => token).some((token) =>
    /^(?:\\k<|\\[1-9]|\(\?)/.test(token),
  );
}

/** Whether the engines of providers read a pattern: without look-around, named groups, back references, `\p{…}`, `\c` and `[^]`. */
export function isPortablePattern(pattern: string): boolean {
  return patternFlag(pattern) === 'u' && !/\\[0-9ckpP]|\(\?[^:]|\[\^?\]/.test(pattern.replaceAll('\\\\', ''));
}
