import fc from 'fast-check';
import type { JsonSchemaObject } from '../../src/core.js';

/** Values that match the types and bounds of a JSON Schema of the built-in tools. Optional fields may be absent. */
export function arbitraryOf(schema: JsonSchemaObject): fc.Arbitrary<unknown> {
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]));
  if ('const' in schema) return fc.constant(schema.const);
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) return fc.oneof(...choices.map((choice: JsonSchemaObject) => arbitraryOf(choice)));
  switch (schema.type) {
    case 'object':
      return fc.record(fieldsOf(schema), { requiredKeys: (schema.required ?? []) as string[] });
    case 'array':
      return fc.array(arbitraryOf(schema.items as JsonSchemaObject), {
        minLength: numberOf(schema.minItems, 0),
        maxLength: numberOf(schema.maxItems, 4),
      });
    case 'string':
      return fc.string({
        unit: 'grapheme',
        minLength: numberOf(schema.minLength, 0),
        maxLength: numberOf(schema.maxLength, 40),
      });
    case 'integer':
      return fc.integer({ min: numberOf(schema.minimum, -1_000), max: numberOf(schema.maximum, 1_000_000) });
    case 'number':
      // JSON knows no negative zero.
      return fc
        .double({ min: numberOf(schema.minimum, -1e6), max: numberOf(schema.maximum, 1e6), noNaN: true })
        .map((value) => value + 0);
    case 'boolean':
      return fc.boolean();
    default:
      throw new Error(`no values for ${JSON.stringify(schema)}`);
  }
}

function fieldsOf({ properties }: JsonSchemaObject): Record<string, fc.Arbitrary<unknown>> {
  return Object.fromEntries(
    Object.entries((properties ?? {}) as Record<string, JsonSchemaObject>).map(([name, field]) => [
      name,
      arbitraryOf(field),
    ]),
  );
}

function numberOf(bound: unknown, otherwise: number): number {
  return typeof bound === 'number' ? bound : otherwise;
}
