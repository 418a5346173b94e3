import { isRecord } from '../support/is-record.js';
import type { JsonSchemaObject } from './json-schema.js';

/** Keywords that hold one schema. */
export const singleSchemas: ReadonlySet<string> = new Set([
  ...['items', 'additionalItems', 'unevaluatedItems', 'contains', 'additionalProperties', 'unevaluatedProperties'],
  ...['propertyNames', 'not', 'if', 'then', 'else', 'contentSchema'],
]);
/** Keywords that hold a list of schemas. */
export const schemaLists: ReadonlySet<string> = new Set(['prefixItems', 'allOf', 'anyOf', 'oneOf']);
/** Keywords that hold a schema for each name, which authors choose as they like. */
export const schemaMaps: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'],
]);

/** Keywords that take less where what they hold takes more. */
const tighter: readonly string[] = ['not', 'if', 'oneOf', 'contains'];

/** The keyword that takes no less where something that it holds is left out; undefined where there is none. */
export function looser(keyword: string, schema: JsonSchemaObject): string | undefined {
  if (keyword === 'oneOf') return 'anyOf' in schema ? undefined : 'anyOf';
  return tighter.includes(keyword) ? undefined : keyword;
}

/** The types of JSON Schema. */
export const schemaTypes: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'null', 'object', 'array'];

/** The types that the value of `type` names, in any case of letters; none where it takes any. */
export function typesIn(value: unknown): readonly unknown[] {
  const named = [value].flat().map((type) => (typeof type === 'string' ? type.toLowerCase() : type));
  // A choice with a type that does not exist takes anything.
  return named.every((type) => schemaTypes.includes(type)) ? [...new Set(named)] : [];
}

/** Whether a value is of one of these types. */
export function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return Number.isFinite(value);
    default:
      return typeof value === type;
  }
}

const isText = (value: unknown) => typeof value === 'string';
const isList = (value: unknown) => Array.isArray(value) && value.length > 0;
const counts = ['Length', 'Items', 'Properties', 'Contains'].flatMap((what) => [`min${what}`, `max${what}`]);

/** What each keyword must hold, schemas inside it apart. */
const kinds: readonly (readonly [keywords: Iterable<string>, holds: (value: unknown) => boolean])[] = [
  [['description', 'title', 'pattern', 'format', '$ref'], isText],
  [['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'], Number.isFinite],
  [['multipleOf'], (value) => Number.isFinite(value) && Number(value) > 0],
  [counts, (value) => Number.isSafeInteger(value) && Number(value) >= 0],
  [['uniqueItems'], (value) => typeof value === 'boolean'],
  [['enum', 'type', ...schemaLists], isList],
  [['required'], Array.isArray],
  [singleSchemas, (value) => typeof value === 'boolean' || isRecord(value)],
  [[...schemaMaps, 'dependentRequired'], isRecord],
];
const kindOf = new Map(
  kinds.flatMap(([keywords, holds]) => Array.from(keywords, (keyword) => [keyword, holds] as const)),
);

/** Whether a keyword holds what JSON Schema 2020-12 says; true for one that it does not know. */
export function keywordFits(keyword: string, value: unknown): boolean {
  return kindOf.get(keyword)?.(value) ?? true;
}

/** The part of a mended schema that one of its references names; undefined for one that leads nowhere. */
export function followReference(root: JsonSchemaObject, reference: string): JsonSchemaObject | undefined {
  const node = pointerSegments(reference.slice(1)).reduce(partOf, root);
  return isRecord(node) ? node : undefined;
}

/** What stands below a name in a part of a schema. */
export function partOf(node: unknown, name: string): unknown {
  return typeof node === 'object' && node !== null && Object.hasOwn(node, name) ? node[name as never] : undefined;
}

/** The names in a JSON pointer, which in a reference are percent-encoded. */
export function pointerSegments(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => percentDecoded(segment).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
