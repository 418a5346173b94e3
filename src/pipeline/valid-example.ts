import type { InputSchema } from '../core/schema.js';
import { exampleOf } from './example-of.js';
import { isThenable } from './supervisor.js';

const maxExampleChars = 1_000;

/** JSON of a small input that the schema itself has taken just now. Undefined where none is found, and for a schema that answers later. */
export function validExample(schema: InputSchema): string | undefined {
  try {
    const text = JSON.stringify(exampleOf(schema.json));
    if (text === undefined || text.length > maxExampleChars) return undefined;
    const checked = schema.parse(JSON.parse(text));
    if (!isThenable(checked)) return checked.ok ? text : undefined;
    // Nobody waits for the answer, so nobody would hear it fail.
    Promise.resolve(checked).catch(() => {});
    return undefined;
  } catch {
    return undefined;
  }
}
