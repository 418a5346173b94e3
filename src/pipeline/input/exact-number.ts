/** Parts of JSON text that matter here: texts, to be passed over, and numbers. */
const textOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;

/**
 * The number that a text in JSON's number form stands for, if a double prints back the same value; a whole number only
 * up to 2^53.
 */
export function exactNumber(text: string): number | undefined {
  const number = Number(text);
  if (!Number.isFinite(number) || (Number.isInteger(number) && !Number.isSafeInteger(number))) return undefined;
  return spellingOf(text) === spellingOf(String(number)) ? number : undefined;
}

/** Whether every number in valid JSON text is an {@link exactNumber}. */
export function holdsExactNumbers(json: string): boolean {
  for (const [token] of json.matchAll(textOrNumber)) {
    if (!token.startsWith('"') && exactNumber(token) === undefined) return false;
  }
  return true;
}

/** One spelling for each value: `1.50`, `15e-1` and `1.5` are `15e-1`. The sign of zero does not count. */
function spellingOf(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  // An expression that looks for zeros at the end would start again at each zero before it.
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  const significant = digits.slice(0, end);
  if (significant === '') return '0';
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
