import type { JsonSchemaObject } from '../core/schema/json-schema.js';
import { schemaLists, schemaTypes } from '../core/schema/keywords.js';
import { isRecord } from '../core/support/check-values.js';
import type { DialectRules } from './schema-dialects.js';

/** The types that a schema accepts, by its `type` and its listed values. Empty if the schema accepts any type. */
export function typesOf(schema: JsonSchemaObject): readonly string[] {
  const named = [schema.type].flat().filter((type) => schemaTypes.includes(type)) as string[];
  const values = valuesOf(schema);
  if (values === undefined) return named;
  const found = [...new Set(values.map(typeOf))];
  return named.length === 0
    ? found
    : named.filter((type) => found.some((one) => one === type || (one === 'number' && type === 'integer')));
}

/** The values that `const` or `enum` lists, optionally only those of a type. */
export function valuesOf(schema: JsonSchemaObject, type?: string): readonly unknown[] | undefined {
  const values: unknown = 'const' in schema ? [schema.const] : schema.enum;
  if (!Array.isArray(values)) return undefined;
  return values.filter(
    (value) => type === undefined || typeOf(value) === type || (type === 'integer' && Number.isInteger(value)),
  );
}

/**
 * Merges the parts of an `allOf`: joins `properties` and `required`, and takes each other keyword from the first part
 * that has it. The result accepts every value that all parts accept, and perhaps more.
 */
export function merge(parts: readonly JsonSchemaObject[]): JsonSchemaObject {
  const keywords = parts.toReversed().flatMap((part) => Object.entries(part));
  const required = parts.flatMap((part) => (Array.isArray(part.required) ? (part.required as unknown[]) : []));
  return {
    ...Object.fromEntries(keywords),
    ...(parts.filter((part) => isRecord(part.properties)).length > 1 ? { properties: sideBySide(parts) } : {}),
    ...(required.length === 0 ? {} : { required: [...new Set(required)] }),
  };
}

/** Keywords that no provider accepts at the top. */
export const refusedAtTop = ['anyOf', 'oneOf', 'allOf', 'not', 'enum', 'const', 'if', 'then', 'else'];

/** An object schema without choices and conditions; the properties of all branches are merged. */
export function plainObject(
  given: JsonSchemaObject,
  resolve: (schema: JsonSchemaObject) => JsonSchemaObject,
  depth = 0,
): JsonSchemaObject {
  const schema = resolve(given);
  const [all, ...some] = ['allOf', 'anyOf', 'oneOf'].map((keyword) =>
    schemasIn(schema, keyword).map((part) => (depth < 5 ? plainObject(part, resolve, depth + 1) : part)),
  );
  const kept = Object.entries(schema).filter(([keyword]) => !refusedAtTop.includes(keyword));
  const { required } = merge([schema, ...(all ?? [])]);
  return {
    ...Object.fromEntries(kept),
    type: 'object',
    properties: sideBySide([schema, ...(all ?? []), ...some.flat()]),
    ...(required === undefined ? {} : { required }),
  };
}

/** The keywords of a schema that a dialect accepts for a type. */
export function keptOf(schema: JsonSchemaObject, { keywords, formats }: DialectRules, type: string): JsonSchemaObject {
  const kept = (keywords?.[type] ?? []).filter((keyword) => {
    const value = schema[keyword];
    return value !== undefined && (keyword !== 'format' || formats?.includes(value as string));
  });
  return Object.fromEntries(kept.map((keyword) => [keyword, schema[keyword]]));
}

/** The keywords that restrict the values of a type, except keywords that are compiled separately. */
const restrictions: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'format'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  array: ['minItems', 'maxItems', 'uniqueItems', 'contains', 'prefixItems'],
  object: [
    'minProperties',
    'maxProperties',
    'patternProperties',
    'propertyNames',
    'dependentRequired',
    'dependentSchemas',
  ],
};

/** The keywords of a schema that restrict the values of a type and are missing in the compiled schema. */
export function lostOf(schema: JsonSchemaObject, compiled: JsonSchemaObject, type: string): readonly string[] {
  const own = restrictions[type === 'integer' ? 'number' : type] ?? [];
  const lost = [...own, 'not', 'if'].filter((keyword) => schema[keyword] !== undefined && !(keyword in compiled));
  const lacksValues = valuesOf(schema) !== undefined && type !== 'null' && !('enum' in compiled);
  const lacksRest = isRecord(schema.additionalProperties) && type === 'object' && !('additionalProperties' in compiled);
  return [...lost, ...(lacksValues ? ['enum'] : []), ...(lacksRest ? ['additionalProperties'] : [])];
}

/** The properties of all schemas; a property with different declarations becomes a choice. */
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

/** The JSON type of a value; `number` also for whole numbers. */
function typeOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

/** The valid schemas in the list of a keyword. */
export function schemasIn(schema: JsonSchemaObject, keyword: string): JsonSchemaObject[] {
  const list = schema[keyword];
  return schemaLists.has(keyword) && Array.isArray(list) ? list.filter(isRecord) : [];
}

/** The description of a schema, if there is one. */
export function labelOf({ description }: JsonSchemaObject): { readonly description?: string } {
  return typeof description === 'string' ? { description } : {};
}

/** Whether a compiled schema accepts every value. */
export function isAnything(schema: JsonSchemaObject): boolean {
  return Object.keys(schema).every((keyword) => keyword === 'description');
}

/** The members of a choice in OpenAPI: a null becomes `nullable` on the first other member. */
export function markedNull(members: readonly JsonSchemaObject[], label: object): readonly JsonSchemaObject[] {
  const isNull = (one: JsonSchemaObject) => one.type === 'null';
  // OpenAPI has no type for null alone.
  const [first = { type: 'string' }, ...others] = members.filter((one) => !isNull(one));
  const mark = members.some(isNull) ? { nullable: true } : {};
  return [{ ...first, ...(others.length > 0 ? label : {}), ...mark }, ...others];
}

const nothing = { type: 'null' } as const;

/** A field of strict mode that also accepts null. */
export function nullable(field: JsonSchemaObject): JsonSchemaObject {
  const { description: _, ...body } = field;
  const label = labelOf(field);
  if (Array.isArray(field.anyOf)) {
    const takesNull = field.anyOf.some((one: JsonSchemaObject) => one.type === 'null');
    return takesNull ? field : { anyOf: [...field.anyOf, nothing], ...label };
  }
  if (field.type === 'null') return field;
  if (field.type === 'object' || field.type === 'array') return { anyOf: [body, nothing], ...label };
  return {
    ...body,
    type: [field.type, 'null'],
    ...(Array.isArray(field.enum) ? { enum: [...field.enum, null] } : {}),
    ...label,
  };
}
