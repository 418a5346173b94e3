import type { InputSchema } from '../core/schema.js';
import { isSoonChecked } from './example-cost.js';
import { exampleOf } from './example-of.js';
import { isThenable } from './supervisor.js';

const maxExampleChars = 1_000;
const remembered: unique symbol = Symbol('example');

/** A schema that has been asked for an example before. */
interface Remembering extends InputSchema {
  readonly [remembered]?: { readonly text: string | undefined };
}

/**
 * JSON of a small input that the schema itself has taken. Undefined where none is found in a moment, and for a schema that answers later.
 * It is looked for once: the schema keeps it, unless it is frozen.
 */
export function validExample(schema: Remembering): string | undefined {
  const known = schema[remembered];
  if (known !== undefined) return known.text;
  const text = findExample(schema);
  if (Object.isExtensible(schema)) Object.defineProperty(schema, remembered, { value: { text } });
  return text;
}

function findExample(schema: InputSchema): string | undefined {
  try {
    const text = JSON.stringify(exampleOf(schema.json));
    if (text === undefined || text.length > maxExampleChars) return undefined;
    const value: unknown = JSON.parse(text);
    if (!isSoonChecked(schema.json, value)) return undefined;
    const checked = schema.parse(value);
    if (!isThenable(checked)) return checked.ok ? text : undefined;
    // Nobody waits for the answer, so nobody would hear it fail.
    Promise.resolve(checked).catch(() => {});
    return undefined;
  } catch {
    return undefined;
  }
}
