/** What is wrong with a text that should be JSON, and where. */
export interface JsonError {
  readonly position: number;
  readonly message: string;
}

const tokenSource =
  '[ \\t\\n\\r]*(?:([{}[\\],:])|("(?:[^"\\\\\\u0000-\\u001f]|\\\\(?:["\\\\/bfnrt]|u[\\dA-Fa-f]{4}))*")|(-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?|true|false|null)(?![\\w.])|$)';

type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or ]' | ', or }' | 'the end';

/**
 * The first error of a JSON text (RFC 8259) in words that stay the same wherever it stands; undefined when there is
 * none.
 */
export function jsonError(text: string): JsonError | undefined {
  const open: ('[' | '{')[] = [];
  let expected: Expected = 'value';
  const token = new RegExp(tokenSource, 'uy');
  token.lastIndex = text.startsWith('\ufeff') ? 1 : 0;
  for (;;) {
    const start = token.lastIndex;
    const match = token.exec(text);
    if (match === null) return { position: skipSpace(text, start), message: `${expected} expected` };
    const [whole, sign, string, plain] = match;
    const position = start + whole.length - (sign ?? string ?? plain ?? '').length;
    if (sign === undefined && string === undefined && plain === undefined) {
      return expected === 'the end' ? undefined : { position, message: `${expected} expected` };
    }
    const next = step(expected, { sign, isName: string !== undefined }, open);
    if (next === undefined) return { position, message: `${expected} expected` };
    expected = next;
  }
}

function step(
  expected: Expected,
  found: { readonly sign: string | undefined; readonly isName: boolean },
  open: ('[' | '{')[],
): Expected | undefined {
  const { sign, isName } = found;
  if (expected === 'name' || expected === 'name or }') {
    if (isName) return ':';
    return sign === '}' && expected === 'name or }' ? close(open) : undefined;
  }
  if (expected === ':') return sign === ':' ? 'value' : undefined;
  if (expected === 'the end') return undefined;
  if (expected === ', or ]') return sign === ',' ? 'value' : sign === ']' ? close(open) : undefined;
  if (expected === ', or }') return sign === ',' ? 'name' : sign === '}' ? close(open) : undefined;
  if (sign === undefined) return after(open);
  if (sign === ']' && expected === 'value or ]') return close(open);
  if (sign !== '[' && sign !== '{') return undefined;
  open.push(sign);
  return sign === '[' ? 'value or ]' : 'name or }';
}

function close(open: ('[' | '{')[]): Expected {
  open.pop();
  return after(open);
}

function after(open: readonly ('[' | '{')[]): Expected {
  const innermost = open.at(-1);
  return innermost === undefined ? 'the end' : innermost === '[' ? ', or ]' : ', or }';
}

function skipSpace(text: string, from: number): number {
  const rest = text.slice(from).search(/[^ \t\n\r]/);
  return rest < 0 ? text.length : from + rest;
}
