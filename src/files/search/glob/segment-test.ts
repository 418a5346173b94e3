import { PatternError } from '../query/pattern-error.js';
import { globTest } from './expression.js';

/** Tells whether one segment of a pattern matches a name. */
export type NameTest = (name: string) => boolean;

const wild = /[*?[\]{}]/;
const anyEnding = /^\*([\w. -]*)$/;

/** The literal name of a segment without wildcards; undefined for one with wildcards. */
export function literalName(segment: string): string | undefined {
  return wild.test(segment.replaceAll(/\\./gs, '')) ? undefined : unescaped(segment);
}

/** The test for one segment of a pattern. A segment that is not a valid pattern is matched literally. */
export async function nameTest(segment: string): Promise<NameTest> {
  const literal = literalName(segment);
  if (literal !== undefined) return (name) => name === literal;
  const ending = anyEnding.exec(segment)?.[1];
  if (ending !== undefined) return (name) => name.endsWith(ending);
  try {
    return await globTest(segment);
  } catch (thrown) {
    if (!(thrown instanceof PatternError)) throw thrown;
    const name = unescaped(segment);
    return (each) => each === name;
  }
}

function unescaped(segment: string): string {
  return segment.replaceAll(/\\(.)/gs, '$1');
}
