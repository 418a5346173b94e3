const words = ['true', 'false', 'null'].map((word) => Buffer.from(word));
const unicodeEscape = /^u[\dA-Fa-f]{4}$/;
const simpleEscapes = Buffer.from('"\\/bfnrt');
const [minus, plus, point, zero, upperE, lowerE] = [0x2d, 0x2b, 0x2e, 0x30, 0x45, 0x65];

/** Where the number, `true`, `false` or `null` that begins there ends; undefined when none does. */
export function plainEnd(bytes: Buffer, start: number, end: number): number | undefined {
  const word = words.find((candidate) => candidate[0] === bytes[start]);
  if (word === undefined) return numberEnd(bytes, start, end);
  const stop = start + word.length;
  return stop <= end && word.compare(bytes, start, stop) === 0 ? stop : undefined;
}

/** An escape in a string: how long it is, and which code unit it names where it names one by number. */
export interface JsonEscape {
  readonly length: number;
  readonly code?: number;
}

/** The escape whose backslash stands there; undefined when it is none that JSON knows. */
export function escapeAt(bytes: Buffer, at: number, end: number): JsonEscape | undefined {
  if (at + 1 < end && simpleEscapes.includes(bytes[at + 1] ?? 0)) return { length: 2 };
  const text = bytes.toString('latin1', at + 1, Math.min(end, at + 6));
  return unicodeEscape.test(text) ? { length: 6, code: Number.parseInt(text.slice(1), 16) } : undefined;
}

function numberEnd(bytes: Buffer, start: number, end: number): number | undefined {
  const first = bytes[start] === minus ? start + 1 : start;
  const whole = first < end && bytes[first] === zero ? first + 1 : digitsEnd(bytes, first, end);
  if (whole === undefined) return undefined;
  const fraction = whole < end && bytes[whole] === point ? digitsEnd(bytes, whole + 1, end) : whole;
  if (fraction === undefined || fraction >= end || (bytes[fraction] !== lowerE && bytes[fraction] !== upperE))
    return fraction;
  const sign = bytes[fraction + 1];
  return digitsEnd(bytes, sign === plus || sign === minus ? fraction + 2 : fraction + 1, end);
}

// After the digits that begin there, of which there must be one.
function digitsEnd(bytes: Buffer, start: number, end: number): number | undefined {
  let at = start;
  for (let byte = bytes[at] ?? 0; at < end && byte >= 0x30 && byte <= 0x39; byte = bytes[at] ?? 0) at++;
  return at === start ? undefined : at;
}
