import type { JsonSchemaObject } from './tool.js';

/** The drafts of JSON Schema that are told apart; draft 7 stands for all that came before. */
export type SchemaDraft = '7' | '2019-09' | '2020-12';

// What stands there is data, which may look like a schema.
const data: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'examples', 'required', 'dependentRequired']);
// Fields are called there as their author likes.
const maps: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'dependentSchemas', 'dependencies', '$defs', 'definitions']);

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
 * The draft that a schema is written in: by `$schema`, and where that says nothing by its keywords. Those that came with 2019-09 or 2020-12
 * mean 2020-12, unless they stand beside what that draft has no more, such as a list of `items`; without any of them it is draft 7.
 */
export function schemaDraft(schema: JsonSchemaObject): SchemaDraft {
  const { $schema: declared } = schema;
  if (typeof declared === 'string') return declared.includes('2020-12') ? '2020-12' : declared.includes('2019-09') ? '2019-09' : '7';
  const used = new Set<string>();
  collect(schema, used);
  const uses = (keywords: ReadonlySet<string>) => [...keywords].some((keyword) => used.has(keyword));
  if (uses(only2020)) return '2020-12';
  if (uses(only2019)) return '2019-09';
  if (!uses(since2019)) return '7';
  return used.has('items[]') ? '2019-09' : '2020-12';
}

/** Adds the keywords of a schema and of those inside it; a list of items is `items[]`. Takes no depth for granted. */
function collect(top: object, used: Set<string>): void {
  const seen = new Set<object>();
  const pending: { readonly node: object; readonly isMap: boolean }[] = [{ node: top, isMap: false }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, isMap } = next;
    if (seen.has(node)) continue;
    seen.add(node);
    for (const [key, value] of Object.entries(node)) {
      const isKeyword = !isMap && !Array.isArray(node);
      if (isKeyword) used.add(key === 'items' && Array.isArray(value) ? 'items[]' : key);
      if (typeof value !== 'object' || value === null || (isKeyword && data.has(key))) continue;
      pending.push({ node: value, isMap: isKeyword && maps.has(key) });
    }
  }
}
