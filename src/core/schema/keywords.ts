import { isRecord } from '../support/check-values.js';
import type { JsonSchemaObject } from './json-schema.js';

/** Keywords whose value is one schema. */
export const singleSchemas: ReadonlySet<string> = new Set([
  ...['items', 'additionalItems', 'unevaluatedItems', 'contains', 'additionalProperties', 'unevaluatedProperties'],
  ...['propertyNames', 'not', 'if', 'then', 'else', 'contentSchema'],
]);
/** Keywords whose value is a list of schemas. */
export const schemaLists: ReadonlySet<string> = new Set(['prefixItems', 'allOf', 'anyOf', 'oneOf']);
/** Keywords whose value is an object of schemas, keyed by names or patterns. */
export const schemaMaps: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'],
]);

/** Keywords that accept fewer values when their inner schema accepts more. */
const tighter: readonly string[] = ['not', 'if', 'oneOf', 'contains'];

/**
 * The keyword that replaces `keyword` if a part of its inner schema was left out, so that the schema never accepts
 * fewer values than before. Undefined if the keyword must be dropped.
 */
export function looser(keyword: string, schema: JsonSchemaObject): string | undefined {
  if (keyword === 'oneOf') return 'anyOf' in schema ? undefined : 'anyOf';
  return tighter.includes(keyword) ? undefined : keyword;
}

export const schemaTypes: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'null', 'object', 'array'];

/** The types in the value of `type`, in any letter case; empty if the value accepts every type. */
export function typesIn(value: unknown): readonly unknown[] {
  const named = [value].flat().map((type) => (typeof type === 'string' ? type.toLowerCase() : type));
  // An unknown type makes the keyword accept everything.
  return named.every((type) => schemaTypes.includes(type)) ? [...new Set(named)] : [];
}

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

/** The valid kind of value of each keyword; inner schemas are not checked. */
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

/** Whether the value of a keyword is valid in draft 2020-12; true for an unknown keyword. */
export function keywordFits(keyword: string, value: unknown): boolean {
  return kindOf.get(keyword)?.(value) ?? true;
}

/** The target of a reference in a mended schema; undefined if there is none. */
export function followReference(root: JsonSchemaObject, reference: string): JsonSchemaObject | undefined {
  const node = pointerSegments(reference.slice(1)).reduce(partOf, root);
  return isRecord(node) ? node : undefined;
}

/** The own field `name` of a node; undefined for a node that is not an object. */
export function partOf(node: unknown, name: string): unknown {
  return typeof node === 'object' && node !== null && Object.hasOwn(node, name) ? node[name as never] : undefined;
}

/**
 * The decoded segments of a JSON pointer in the fragment of a reference. The percent-encoding is decoded first (RFC
 * 6901, section 6), so `%2F` separates segments as `/` does.
 */
export function pointerSegments(pointer: string): readonly string[] {
  return pointer
    .replaceAll(/(?:%[\da-f]{2})+/gi, percentDecoded)
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

type Bound = readonly [
  of: (value: unknown) => number | undefined,
  holds: (measure: number, limit: number) => boolean,
  text: string,
];

const numberOf = (value: unknown) => (typeof value === 'number' ? value : undefined);
const charsOf = (value: unknown) => (typeof value === 'string' ? countChars(value) : undefined);
const itemsOf = (value: unknown) => (Array.isArray(value) ? value.length : undefined);
const fieldsOf = (value: unknown) => (isRecord(value) ? Object.keys(value).length : undefined);
const atLeast = (measure: number, limit: number) => measure >= limit;
const atMost = (measure: number, limit: number) => measure <= limit;
/** A quotient above the safe integers has no fraction to check. */
function divides(measure: number, limit: number): boolean {
  const quotient = Math.abs(measure / limit);
  return quotient > Number.MAX_SAFE_INTEGER || Math.abs(quotient - Math.round(quotient)) < 1e-9 * Math.max(1, quotient);
}

function countChars(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** The keywords that bound a number or a size: the measure, the comparison, and the message of a violation. */
export const bounds: ReadonlyMap<string, Bound> = new Map<string, Bound>([
  ['minimum', [numberOf, atLeast, 'must be at least N']],
  ['maximum', [numberOf, atMost, 'must be at most N']],
  ['exclusiveMinimum', [numberOf, (measure, limit) => measure > limit, 'must be more than N']],
  ['exclusiveMaximum', [numberOf, (measure, limit) => measure < limit, 'must be less than N']],
  ['multipleOf', [numberOf, divides, 'must be a multiple of N']],
  ['minLength', [charsOf, atLeast, 'must have at least N characters']],
  ['maxLength', [charsOf, atMost, 'must have at most N characters']],
  ['minItems', [itemsOf, atLeast, 'must have at least N entries']],
  ['maxItems', [itemsOf, atMost, 'must have at most N entries']],
  ['minProperties', [fieldsOf, atLeast, 'must have at least N fields']],
  ['maxProperties', [fieldsOf, atMost, 'must have at most N fields']],
]);
