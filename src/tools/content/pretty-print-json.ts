import { ifPossible } from '../../core/support/check-values.js';
import { nextTurn } from '../../core/support/timers.js';

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g;
/** Beyond these limits JSON stays unchanged: it would have too many lines, or too much indentation to be read. */
const maxChars = 1_000_000;
const maxDepth = 64;
const maxPrintedChars = 4_000_000;
const tokensAtOnce = 20_000;

/**
 * Pretty-prints JSON text with one value per line. Only the white space between tokens changes, so numbers, names and
 * their order stay as written. Text that is not JSON, or that would become far longer, is returned unchanged. Yields to
 * the event loop.
 */
export async function prettyPrintJson(json: string): Promise<string> {
  if (json.length > maxChars || ifPossible(() => JSON.parse(json)) === undefined) return json;
  const parts: string[] = [];
  let [depth, deepest, chars, last] = [0, 0, 0, ''];
  for (const [part] of json.matchAll(token)) {
    const isEnd = part === '}' || part === ']';
    if (isEnd) depth--;
    const isEmpty = isEnd && (last === '{' || last === '[');
    const isOnNewLine = !isEmpty && (isEnd || /^[{[,]$/.test(last));
    const written = `${isOnNewLine ? `\n${'  '.repeat(Math.max(0, depth))}` : ''}${part}${part === ':' ? ' ' : ''}`;
    if (part === '{' || part === '[') deepest = Math.max(deepest, ++depth);
    chars += written.length;
    if (deepest > maxDepth || chars > maxPrintedChars) return json;
    last = part;
    if (parts.push(written) % tokensAtOnce === 0) await nextTurn();
  }
  return parts.join('');
}
