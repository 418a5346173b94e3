import { PatternError } from '../query/pattern-error.js';
import { globTest } from './expression.js';

/** Tells whether one segment of a pattern matches a name. */
export type NameTest = (name: string) => boolean;

const wild = /[*?[\]{}|]|[@+!]\(/;
const anyEnding = /^\*([\w. -]*)$/;
const exception = /^((?:\\.|[^\\])*?)!\(/s;

/** The literal name of a segment without wildcards; undefined for one with wildcards. */
export function literalName(segment: string): string | undefined {
  return wild.test(segment.replaceAll(/\\./gs, '')) ? undefined : unescaped(segment);
}

/** The test for one segment of a pattern. A segment that is no valid pattern is a literal name. */
export async function nameTest(segment: string): Promise<NameTest> {
  const literal = literalName(segment);
  if (literal !== undefined) return (name) => name === literal;
  const ending = anyEnding.exec(segment)?.[1];
  if (ending !== undefined) return (name) => name.endsWith(ending);
  const before = exception.exec(segment)?.[1];
  try {
    return before === undefined ? await globTest(segment, 'groups') : await exceptTest(segment, before);
  } catch (thrown) {
    if (!(thrown instanceof PatternError)) throw thrown;
    const name = unescaped(segment);
    return (each) => each === name;
  }
}

/** The test for a segment such as `a!(b|c)d`: the part between start and end must not match the group. */
async function exceptTest(segment: string, before: string): Promise<NameTest> {
  const start = before.length + 2;
  const end = groupEnd(segment, start);
  const parts = [before, `(${segment.slice(start, end)})`, segment.slice(end + 1)];
  if (parts.some((part) => exception.test(part))) throw new PatternError('a name holds more than one !(…)');
  const tests = await Promise.all(parts.map((part) => globTest(part, 'groups')));
  const [isBefore = never, isExcepted = never, isBehind = never] = tests;
  return (name) => {
    const places = Array.from({ length: name.length + 1 }, (_, place) => place);
    const starts = places.filter((place) => isBefore(name.slice(0, place)));
    const ends = places.filter((place) => isBehind(name.slice(place)));
    return starts.some((from) => ends.some((to) => to >= from && !isExcepted(name.slice(from, to))));
  };
}

const never = () => false;

function groupEnd(segment: string, start: number): number {
  let depth = 0;
  for (let at = start; at < segment.length; at++) {
    if (segment[at] === '\\') at++;
    else if (segment[at] === '(') depth++;
    else if (segment[at] === ')' && depth-- === 0) return at;
  }
  throw new PatternError("unclosed group; missing ')'");
}

function unescaped(segment: string): string {
  return segment.replaceAll(/\\(.)/gs, '$1');
}
