import { isRecord } from '../support/is-record.js';
import type { JsonSchemaObject } from './json-schema.js';

/** The drafts of JSON Schema that are distinguished; draft 7 stands for all that came before. */
export type SchemaDraft = '7' | '2019-09' | '2020-12';

/** Keywords that hold one schema. */
export const singleSchemas: ReadonlySet<string> = new Set([
  ...[
    'items',
    'additionalItems',
    'unevaluatedItems',
    'contains',
    'additionalProperties',
    'unevaluatedProperties',
    'propertyNames',
  ],
  ...['not', 'if', 'then', 'else', 'contentSchema'],
]);
/** Keywords that hold a list of schemas. */
export const schemaLists: ReadonlySet<string> = new Set(['items', 'prefixItems', 'allOf', 'anyOf', 'oneOf']);
/** Keywords that hold a schema for each name, which authors choose as they like. */
export const schemaMaps: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
  '$defs',
  'definitions',
]);

const only2020: ReadonlySet<string> = new Set(['prefixItems', '$dynamicRef', '$dynamicAnchor']);
const only2019: ReadonlySet<string> = new Set(['$recursiveRef', '$recursiveAnchor']);
const since2019: ReadonlySet<string> = new Set([
  '$anchor',
  'dependentRequired',
  'dependentSchemas',
  'unevaluatedProperties',
  'unevaluatedItems',
  'minContains',
  'maxContains',
]);

/**
 * The draft that a schema is written in: by `$schema`, and where that says nothing by its keywords. Those that came
 * with 2019-09 or 2020-12 mean 2020-12, unless a list of `items` stands somewhere, which that draft has no more;
 * without any of them it is draft 7. Keywords count where a schema stands, not inside of data and of keywords that no
 * draft knows.
 */
export function schemaDraft(schema: JsonSchemaObject): SchemaDraft {
  const { $schema: declared } = schema;
  if (typeof declared === 'string')
    return declared.includes('2020-12') ? '2020-12' : declared.includes('2019-09') ? '2019-09' : '7';
  const used = new Set<string>();
  collect(schema, used);
  const uses = (keywords: ReadonlySet<string>) => [...keywords].some((keyword) => used.has(keyword));
  const isOlder = used.has('items[]');
  if (uses(only2020) && !isOlder) return '2020-12';
  if (uses(only2019)) return '2019-09';
  if (!uses(since2019)) return '7';
  return isOlder ? '2019-09' : '2020-12';
}

/** Adds the keywords of a schema and of those inside it; a list of items is `items[]`. Takes no depth for granted. */
function collect(top: object, used: Set<string>): void {
  const seen = new Set<object>();
  const pending: unknown[] = [top];
  while (pending.length > 0) {
    const schema = pending.pop();
    if (!isRecord(schema) || seen.has(schema)) continue;
    seen.add(schema);
    for (const [key, value] of Object.entries(schema)) {
      used.add(key === 'items' && Array.isArray(value) ? 'items[]' : key);
      for (const inside of insideOf(key, value)) pending.push(inside);
    }
  }
}

function insideOf(key: string, value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return schemaLists.has(key) ? value : [];
  if (schemaMaps.has(key)) return isRecord(value) ? Object.values(value) : [];
  return singleSchemas.has(key) ? [value] : [];
}
