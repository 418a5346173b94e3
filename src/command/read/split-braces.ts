const sequence = /^\{(-?\d{1,6}|[A-Za-z])\.\.(-?\d{1,6}|[A-Za-z])(?:\.\.(-?\d{1,4}))?\}$/;

/**
 * The alternatives of one brace expansion (`{a,b}`, `{1..3}`) as source text, or `undefined` when it is none or there
 * are more than `maxAlternatives`.
 */
export function splitBraces(text: string, maxAlternatives: number): string[] | undefined {
  const range = sequence.exec(text);
  if (range) return countUp(range[1] ?? '', range[2] ?? '', Number(range[3] ?? 1), maxAlternatives);
  const parts: string[] = [];
  let depth = 0;
  let start = 1;
  for (let index = 1; index < text.length - 1; index += 1) {
    const character = text[index];
    if (character === '\\') index += 1;
    else if (character === "'" || character === '"') index = closingQuote(text, index);
    else if (character === '{' || character === '(') depth += 1;
    else if (character === '}' || character === ')') depth -= 1;
    else if (character === ',' && depth === 0) {
      parts.push(text.slice(start, index));
      start = index + 1;
      if (parts.length >= maxAlternatives) return undefined;
    }
  }
  parts.push(text.slice(start, text.length - 1));
  return parts.length > 1 ? parts : undefined;
}

function closingQuote(text: string, open: number): number {
  const close = text.indexOf(text[open] ?? '', open + 1);
  return close === -1 ? text.length : close;
}

function countUp(from: string, to: string, step: number, maxAlternatives: number): string[] | undefined {
  const letters = /[A-Za-z]/.test(from);
  const first = letters ? from.charCodeAt(0) : Number(from);
  const last = letters ? to.charCodeAt(0) : Number(to);
  if (!Number.isFinite(first) || !Number.isFinite(last)) return undefined;
  const stride = Math.max(1, Math.abs(step)) * (first <= last ? 1 : -1);
  const count = Math.floor(Math.abs(last - first) / Math.abs(stride)) + 1;
  if (count > maxAlternatives) return undefined;
  return Array.from({ length: count }, (_, index) => {
    const value = first + index * stride;
    return letters ? String.fromCharCode(value) : String(value);
  });
}
