import { zodToJsonSchema } from 'zod-to-json-schema';
import type { JsonSchemaObject } from './json-schema.js';

/**
 * JSON Schema of a zod 3 schema, as its input. Parts that occur twice are written out twice, since not every provider
 * follows references; only a schema that holds itself keeps them, because it has no end otherwise.
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

/** Whether a reference leads to something that it stands in. */
function holdsItself(node: unknown, place: string): boolean {
  if (typeof node !== 'object' || node === null) return false;
  return Object.entries(node).some(([key, entry]) => {
    if (key === '$ref' && typeof entry === 'string') return `${place}/`.startsWith(`${entry}/`);
    return holdsItself(entry, `${place}/${key}`);
  });
}
