import type { JsonSchemaObject } from '../core/tool.js';

/** A small value that the schema accepts, as far as that can be told from types alone: required fields only, first choices first. */
export function exampleOf(schema: JsonSchemaObject, depth = 0): unknown {
  if ('default' in schema) return schema.default;
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.examples) && schema.examples.length > 0) return schema.examples[0];
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const choice = [schema.anyOf, schema.oneOf, schema.allOf].find((branches) => Array.isArray(branches) && branches.length > 0);
  if (Array.isArray(choice)) return exampleOf(choice[0], depth);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'object') return exampleObject(schema, depth);
  if (type === 'array') return depth < 4 && isSchema(schema.items) ? [exampleOf(schema.items, depth + 1)] : [];
  if (type === 'number' || type === 'integer') return typeof schema.minimum === 'number' ? schema.minimum : 1;
  if (type === 'boolean') return true;
  return type === 'null' ? null : '…';
}

function exampleObject(schema: JsonSchemaObject, depth: number): Readonly<Record<string, unknown>> {
  const properties = isSchema(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  if (depth >= 4) return {};
  return Object.fromEntries(
    required.map((name: string) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return [name, isSchema(property) ? exampleOf(property, depth + 1) : '…'];
    }),
  );
}

function isSchema(value: unknown): value is JsonSchemaObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
