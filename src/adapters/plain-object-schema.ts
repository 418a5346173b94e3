import type { JsonSchemaObject } from '../core/schema/json-schema.js';
import { isRecord } from '../core/support/is-record.js';
import { recordsOf } from './wire-records.js';

const refusedAtTop = ['anyOf', 'oneOf', 'allOf', 'not', 'enum', 'const', 'if', 'then', 'else'];

/**
 * The schema as providers accept it: an object with `properties`, and no union or condition at the very top, for which
 * they refuse the whole request. What the branches of such a union declare is offered side by side; the tool's own
 * schema still validates every call.
 */
export function plainObjectSchema(schema: JsonSchemaObject): JsonSchemaObject {
  if (isRecord(schema.properties) && !refusedAtTop.some((keyword) => keyword in schema)) return schema;
  const kept = Object.entries(schema).filter(([keyword]) => !refusedAtTop.includes(keyword));
  const branches = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => recordsOf(schema[keyword]));
  const required = [schema, ...recordsOf(schema.allOf)].flatMap((part) =>
    Array.isArray(part.required) ? part.required : [],
  );
  return {
    ...Object.fromEntries(kept),
    type: 'object',
    properties: sideBySide([schema, ...branches]),
    ...(required.length === 0 ? {} : { required: [...new Set(required)] }),
  };
}

/** Every property that any of the schemas declares; one that several declare differently becomes a choice. */
function sideBySide(schemas: readonly JsonSchemaObject[]): Readonly<Record<string, unknown>> {
  const choices = new Map<string, Map<string, unknown>>();
  for (const { properties } of schemas) {
    for (const [name, property] of isRecord(properties) ? Object.entries(properties) : []) {
      const seen = choices.get(name) ?? new Map<string, unknown>();
      choices.set(name, seen.set(JSON.stringify(property), property));
    }
  }
  return Object.fromEntries(
    [...choices].map(([name, seen]) => {
      const forms = [...seen.values()];
      return [name, forms.length === 1 ? forms[0] : { anyOf: forms }];
    }),
  );
}
