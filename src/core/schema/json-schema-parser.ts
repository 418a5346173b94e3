import { once } from '../support/once.js';
import type { JsonSchemaObject } from './json-schema.js';
import { tooMuchWork } from './patterns.js';
import type { InputIssue } from './validate-value.js';

/** A parsed input, or all its errors. */
export type ParsedInput<Input> =
  | { readonly ok: true; readonly value: Input }
  | { readonly ok: false; readonly issues: readonly InputIssue[] };

/** The most steps of one check, about 50 ms. */
const maxSteps = 100_000;

/**
 * Makes a parser from plain JSON Schema of any draft, see `mendSchema`. An input that takes too many steps to check is
 * refused. If a server validates its inputs itself (`isServers`), such an input passes, and patterns that need
 * backtracking are not checked.
 */
export function jsonSchemaParser(
  tool: string,
  schema: JsonSchemaObject,
  isServers: boolean,
): (raw: unknown) => Promise<ParsedInput<unknown>> {
  const ready = once(async () => {
    const [{ mendSchema }, { ValueCheck }, { patternTest }] = await Promise.all([
      import('./mend.js'),
      import('./validate-value.js'),
      import('./test-pattern.js'),
    ]);
    const { schema: root, notes, outside } = mendSchema(schema, isServers);
    const text = JSON.stringify(root);
    // The regular expression engine is large, so it is loaded only for schemas with patterns.
    const test = text.includes('"pattern') ? await patternTest(!isServers) : () => undefined;
    // If mending dropped a part, `unevaluated…` is not checked: the dropped part may have evaluated the field.
    const tracks = text.includes('"unevaluated') && notes.length === 0;
    return { root, outside, start: () => new ValueCheck(root, test, tracks, maxSteps) };
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
