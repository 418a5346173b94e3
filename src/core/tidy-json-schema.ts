import type { JsonSchemaObject } from './tool.js';

/** A frozen copy without what only costs tokens or breaks strict providers: `$schema`, and the ±2^53 bounds that zod adds to every integer. */
export function tidyJsonSchema(schema: JsonSchemaObject): JsonSchemaObject {
  const { $schema: _, ...rest } = schema;
  return tidy(rest) as JsonSchemaObject;
}

function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return Object.freeze(value.map(tidy));
  if (typeof value !== 'object' || value === null) return value;
  const kept: [string, unknown][] = [];
  for (const [key, entry] of Object.entries(value)) {
    if (key === 'maximum' && entry === Number.MAX_SAFE_INTEGER) continue;
    if (key === 'minimum' && entry === Number.MIN_SAFE_INTEGER) continue;
    kept.push([key, tidy(entry)]);
  }
  // fromEntries defines own properties, so a property named __proto__ stays a property.
  return Object.freeze(Object.fromEntries(kept));
}
