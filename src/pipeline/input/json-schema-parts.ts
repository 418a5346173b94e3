import type { JsonSchemaObject } from '../../core/schema/json-schema.js';

/** Whether a part of a schema is a schema of its own with keywords, neither a list nor true or false. */
export function isSchema(value: unknown): value is JsonSchemaObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The part of a schema that a local reference such as `#/$defs/point` names; undefined for any other and for one that
 * leads nowhere.
 */
export function followReference(root: JsonSchemaObject, reference: string): JsonSchemaObject | undefined {
  if (!reference.startsWith('#')) return undefined;
  let node: unknown = root;
  for (const segment of reference.split('/').slice(1)) {
    const key = segment.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return undefined;
    node = node[key as never];
  }
  return isSchema(node) ? node : undefined;
}

/**
 * The schemas of the entries of a list: of the first ones each its own, as 2020-12 or draft 7 writes it, then of all
 * the others.
 */
export function entrySchemas({ items, prefixItems, additionalItems }: JsonSchemaObject): {
  readonly first: readonly unknown[];
  readonly others: unknown;
} {
  if (Array.isArray(prefixItems)) return { first: prefixItems, others: items };
  return Array.isArray(items) ? { first: items, others: additionalItems } : { first: [], others: items };
}
