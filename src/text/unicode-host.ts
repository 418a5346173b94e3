/** A label of the domain name system is no longer. */
const maxLabelChars = 63;

/**
 * A host name as people read it: each label that begins with `xn--` decoded as RFC 3492 says; what cannot be decoded
 * stays.
 */
export function unicodeHost(host: string): string {
  return host
    .split('.')
    .map((label) =>
      label.startsWith('xn--') && label.length <= maxLabelChars ? decoded(label.slice(4)) || label : label,
    )
    .join('.');
}

const base = 36;
const [leastThreshold, mostThreshold] = [1, 26];
const [firstCode, firstBias] = [128, 72];

/**
 * Letters that are ASCII come first, up to the last hyphen; behind it each other one stands as the distance from the
 * one before.
 */
function decoded(text: string): string | undefined {
  const hyphen = text.lastIndexOf('-');
  const points = Array.from(text.slice(0, Math.max(0, hyphen)), (character) => character.charCodeAt(0));
  let code = firstCode;
  let bias = firstBias;
  let place = 0;
  for (let index = hyphen + 1; index < text.length; ) {
    const distance = readDistance(text, index, bias);
    if (distance === undefined) return undefined;
    const count = points.length + 1;
    bias = adapted(distance.value, count, place === 0);
    code += Math.floor((place + distance.value) / count);
    if (code > 0x10ffff) return undefined;
    place = (place + distance.value) % count;
    points.splice(place, 0, code);
    place += 1;
    index = distance.end;
  }
  return String.fromCodePoint(...points);
}

/** A number whose digits, the least first, say themselves where it ends. */
function readDistance(
  text: string,
  start: number,
  bias: number,
): { readonly value: number; readonly end: number } | undefined {
  let value = 0;
  let weight = 1;
  for (let index = start; index < text.length; index++) {
    const digit = digitOf(text.charCodeAt(index));
    if (digit === undefined) return undefined;
    const threshold = Math.min(mostThreshold, Math.max(leastThreshold, base * (index - start + 1) - bias));
    value += digit * weight;
    if (digit < threshold) return { value, end: index + 1 };
    weight *= base - threshold;
  }
  return undefined;
}

/** Letters are 0 to 25, figures 26 to 35. */
function digitOf(code: number): number | undefined {
  if (code >= 0x61 && code <= 0x7a) return code - 0x61;
  return code >= 0x30 && code <= 0x39 ? code - 0x30 + 26 : undefined;
}

/** How large the next distance is expected to be. */
function adapted(distance: number, count: number, isFirst: boolean): number {
  const [damp, skew] = [700, 38];
  let delta = Math.floor(distance / (isFirst ? damp : 2));
  delta += Math.floor(delta / count);
  let bias = 0;
  for (; delta > ((base - leastThreshold) * mostThreshold) / 2; bias += base)
    delta = Math.floor(delta / (base - leastThreshold));
  return bias + Math.floor(((base - leastThreshold + 1) * delta) / (delta + skew));
}
