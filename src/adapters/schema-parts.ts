import type { JsonSchemaObject } from '../core/schema/json-schema.js';
import { schemaLists, schemaMaps, singleSchemas } from '../core/schema/schema-draft.js';
import { isRecord } from '../core/support/is-record.js';

/** The types of JSON Schema. */
const types = ['string', 'number', 'integer', 'boolean', 'null', 'object', 'array'];

/** What each keyword must hold, where JSON Schema says so. */
const kinds: readonly (readonly [keywords: readonly string[], holds: (value: unknown) => boolean])[] = [
  [['description', 'title', 'pattern', 'format', '$comment', '$ref'], (value) => typeof value === 'string'],
  [['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'], Number.isFinite],
  [['multipleOf'], (value) => typeof value === 'number' && value > 0],
  [['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'], isCount],
  [['minContains', 'maxContains'], isCount],
  [['uniqueItems', 'deprecated', 'readOnly', 'writeOnly'], (value) => typeof value === 'boolean'],
  [['enum', 'examples'], Array.isArray],
  [['required'], (value) => isSet(value, (one) => typeof one === 'string')],
  [
    ['type'],
    (value) =>
      types.includes(value as string) || (isSet(value, (one) => types.includes(one as string)) && value.length > 0),
  ],
  [[...singleSchemas], isSchema],
  [
    ['prefixItems', 'allOf', 'anyOf', 'oneOf'],
    (value) => Array.isArray(value) && value.length > 0 && value.every(isSchema),
  ],
  [[...schemaMaps], isRecord],
];
const kindOf = new Map(kinds.flatMap(([keywords, holds]) => keywords.map((keyword) => [keyword, holds] as const)));

/** Whether a keyword holds what JSON Schema 2020-12 says; true for one that it does not know. */
export function keywordFits(keyword: string, value: unknown): boolean {
  return kindOf.get(keyword)?.(value) ?? true;
}

/** A keyword as 2020-12 writes it: lists of items, and the bounds of draft 4; undefined where there is none. */
export function modern(
  keyword: string,
  schema: JsonSchemaObject,
): readonly [keyword: string, value: unknown] | undefined {
  const value = schema[keyword];
  if (keyword === 'items' && Array.isArray(value)) return value.length === 0 ? undefined : ['prefixItems', value];
  if (keyword === 'additionalItems') return Array.isArray(schema.items) ? ['items', value] : undefined;
  if (keyword === 'exclusiveMinimum' && value === true) return [keyword, schema.minimum];
  if (keyword === 'exclusiveMaximum' && value === true) return [keyword, schema.maximum];
  return [keyword, value];
}

/** The types that a schema names, or that the values it lists have; none where it takes any. */
export function typesOf(schema: JsonSchemaObject): readonly string[] {
  const named = (Array.isArray(schema.type) ? schema.type : [schema.type]).filter(
    (type) => type !== undefined,
  ) as string[];
  const values = valuesOf(schema);
  if (values === undefined) return named;
  const found = [...new Set(values.map(typeOf))];
  return named.length === 0
    ? found
    : named.filter((type) => found.some((one) => one === type || (one === 'number' && type === 'integer')));
}

/** The values that a schema lists, as far as they are of a type. */
export function valuesOf(schema: JsonSchemaObject, type?: string): readonly unknown[] | undefined {
  const values: unknown = 'const' in schema ? [schema.const] : schema.enum;
  if (!Array.isArray(values)) return undefined;
  return values.filter(
    (value) => type === undefined || typeOf(value) === type || (type === 'integer' && Number.isInteger(value)),
  );
}

/** What takes a value for which all of the parts hold, and perhaps more: the first that says something has the word. */
export function merge(parts: readonly JsonSchemaObject[]): JsonSchemaObject {
  const words = parts.toReversed().flatMap((part) => Object.entries(part));
  const required = parts.flatMap((part) => (Array.isArray(part.required) ? (part.required as unknown[]) : []));
  return {
    ...Object.fromEntries(words),
    ...(parts.some((part) => isRecord(part.properties)) ? { properties: sideBySide(parts) } : {}),
    ...(required.length === 0 ? {} : { required: [...new Set(required)] }),
  };
}

/** Every property that any of the schemas declares; one that several declare differently becomes a choice. */
export function sideBySide(schemas: readonly JsonSchemaObject[]): Readonly<Record<string, unknown>> {
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

/** The JSON type of a value, `number` for whole ones too. */
export function typeOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

/** The schemas of a list below a keyword; what is none is left out. */
export function schemasIn(schema: JsonSchemaObject, keyword: string): JsonSchemaObject[] {
  const list = schema[keyword];
  return schemaLists.has(keyword) && Array.isArray(list) ? list.filter(isRecord) : [];
}

function isSchema(value: unknown): boolean {
  return typeof value === 'boolean' || isRecord(value);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isSet(value: unknown, holds: (one: unknown) => boolean): value is readonly unknown[] {
  return Array.isArray(value) && value.every(holds) && new Set(value).size === value.length;
}
