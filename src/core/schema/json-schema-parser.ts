import { once } from '../support/once.js';
import type { JsonSchemaObject } from './json-schema.js';
import type { ParsedInput } from './schema.js';
import { tooMuchWork } from './schema-patterns.js';

/** One check visits at most so many parts of a schema and an input: some 50 ms. */
const maxSteps = 100_000;

/**
 * A parser for plain JSON Schema of any draft, see `mendSchema`. An input that takes too many steps to check is
 * refused; where a server checks its inputs itself, it is left to the server, like patterns that need backtracking.
 */
export function jsonSchemaParser(
  tool: string,
  schema: JsonSchemaObject,
  isServers: boolean,
): (raw: unknown) => Promise<ParsedInput<unknown>> {
  const ready = once(async () => {
    const [{ mendSchema }, { SchemaCheck }, { patternTest }] = await Promise.all([
      import('./mend-schema.js'),
      import('./check-schema.js'),
      import('./pattern-test.js'),
    ]);
    const { schema: root, notes, outside } = mendSchema(schema, isServers);
    const text = JSON.stringify(root);
    // The engine for patterns is large.
    const test = text.includes('"pattern') ? await patternTest(!isServers) : () => undefined;
    // A part that was left out could have looked at what is found unevaluated then.
    const tracks = text.includes('"unevaluated') && notes.length === 0;
    return { root, outside, start: () => new SchemaCheck(root, test, tracks, maxSteps) };
  });
  return async (raw) => {
    const { root, outside, start } = await ready();
    const refused = (message: string): ParsedInput<unknown> => ({ ok: false, issues: [{ path: [], message }] });
    if (outside !== undefined && !isServers)
      return refused(`the schema of ${tool} cannot be used: it refers to ${outside}`);
    const check = start();
    try {
      return check.holds(raw, root) ? { ok: true, value: raw } : { ok: false, issues: check.issues };
    } catch (thrown) {
      if (isServers) return { ok: true, value: raw };
      if (thrown !== tooMuchWork) throw thrown;
      return refused(`takes more than ${maxSteps} steps to check; send less`);
    }
  };
}
