import type { JsonSchemaObject } from './json-schema.js';

const annotations: ReadonlySet<string> = new Set(['type', 'description', 'title', 'default']);

// The values of these keywords are data, which may look like a schema.
const data: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'examples']);

/**
 * A frozen equivalent copy that every provider accepts: without `$schema`, without the ±2^53 bounds that zod adds to
 * each integer, and with `anyOf` for a plain choice of types, which zod writes in several ways.
 */
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
    if (key === 'type' && isChoice(entry, value))
      kept.push(['anyOf', Object.freeze(entry.map((type) => Object.freeze({ type })))]);
    else kept.push([key, data.has(key) ? entry : tidy(entry)]);
  }
  // fromEntries defines own properties, so a property named __proto__ stays a property.
  return Object.freeze(Object.fromEntries(kept));
}

function isChoice(type: unknown, schema: object): type is readonly string[] {
  return (
    Array.isArray(type) &&
    type.every((one) => typeof one === 'string') &&
    Object.keys(schema).every((key) => annotations.has(key))
  );
}
