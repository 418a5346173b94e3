import { zodToJsonSchema } from 'zod-to-json-schema';
import type { JsonSchemaObject } from './json-schema.js';

/**
 * The JSON Schema for the input of a zod 3 schema. Repeated parts are written out each time, since not every provider
 * follows references; only a recursive schema keeps its references.
 */
export function describeZod3(schema: object): JsonSchemaObject {
  const describe = ($refStrategy: 'root' | 'none') =>
    zodToJsonSchema(schema as never, {
      target: 'jsonSchema7',
      $refStrategy,
      pipeStrategy: 'input',
    }) as JsonSchemaObject;
  const referring = describe('root');
  return holdsItself(referring, '#') ? referring : describe('none');
}

/** Whether a schema is recursive: a reference leads to one of its own ancestors. */
function holdsItself(node: unknown, place: string): boolean {
  if (typeof node !== 'object' || node === null) return false;
  return Object.entries(node).some(([key, entry]) => {
    if (key === '$ref' && typeof entry === 'string') return `${place}/`.startsWith(`${entry}/`);
    return holdsItself(entry, `${place}/${key}`);
  });
}
