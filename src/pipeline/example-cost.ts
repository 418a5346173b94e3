import type { JsonSchemaObject } from '../core/tool.js';
import { patternCost } from './example-pattern.js';
import { followReference, isSchema } from './json-schema-parts.js';

/** Whether a validator of this schema is soon done with a value, whichever of the parts of the schema it looks at. */
export function isSoonChecked(schema: JsonSchemaObject, value: unknown): boolean {
  const cost = new CheckingCost(schema);
  cost.add(schema, value, 0);
  return cost.steps <= maxSteps;
}

/** Of a few nanoseconds each. */
const maxSteps = 4_000_000;
const stepsOfPart = 400;
const maxDepth = 200;

/** Adds up what a validator does for a value: each part of the schema that is about it, each pattern on each text. Ends where it becomes too much. */
class CheckingCost {
  steps = 0;
  readonly #root: JsonSchemaObject;

  constructor(root: JsonSchemaObject) {
    this.#root = root;
  }

  add(part: unknown, value: unknown, depth: number): void {
    if (!isSchema(part) || this.steps > maxSteps) return;
    this.steps += depth > maxDepth ? Number.POSITIVE_INFINITY : stepsOfPart;
    for (const other of this.#elsewhere(part)) this.add(other, value, depth + 1);
    for (const other of inPlace(part)) this.add(other, value, depth + 1);
    if (typeof value === 'string' && typeof part.pattern === 'string') this.steps += patternCost(part.pattern, value.length);
    if (Array.isArray(value)) this.#addEntries(part, value, depth);
    else if (isSchema(value)) this.#addFields(part, value, depth);
  }

  /** What a reference names. Where that cannot be seen from here, nobody knows what it costs. */
  #elsewhere({ $ref, $dynamicRef, $recursiveRef }: JsonSchemaObject): readonly unknown[] {
    if ($dynamicRef !== undefined || $recursiveRef !== undefined) this.steps = Number.POSITIVE_INFINITY;
    if (typeof $ref !== 'string') return [];
    if ($ref === '#' || $ref.startsWith('#/')) return [followReference(this.#root, $ref)];
    this.steps = Number.POSITIVE_INFINITY;
    return [];
  }

  #addEntries(part: JsonSchemaObject, entries: readonly unknown[], depth: number): void {
    const { items, prefixItems, additionalItems, unevaluatedItems, contains } = part;
    for (const [index, entry] of entries.entries()) {
      const own = [prefixItems, items].map((list) => (Array.isArray(list) ? (list as readonly unknown[])[index] : list));
      for (const other of [...own, additionalItems, unevaluatedItems, contains]) this.add(other, entry, depth + 1);
    }
  }

  #addFields(part: JsonSchemaObject, fields: JsonSchemaObject, depth: number): void {
    const { properties, patternProperties, propertyNames, additionalProperties, unevaluatedProperties } = part;
    const patterns = isSchema(patternProperties) ? Object.entries(patternProperties) : [];
    for (const [name, value] of Object.entries(fields)) {
      if (isSchema(properties) && Object.hasOwn(properties, name)) this.add(properties[name], value, depth + 1);
      this.add(propertyNames, name, depth + 1);
      for (const other of [additionalProperties, unevaluatedProperties]) this.add(other, value, depth + 1);
      for (const [pattern, other] of patterns) {
        this.steps += patternCost(pattern, name.length);
        this.add(other, value, depth + 1);
      }
    }
  }
}

/** The parts of a schema that are about the same value as the whole. */
function inPlace(part: JsonSchemaObject): readonly unknown[] {
  const lists = [part.allOf, part.anyOf, part.oneOf].flatMap((list) => (Array.isArray(list) ? (list as readonly unknown[]) : []));
  const maps = [part.dependentSchemas, part.dependencies].flatMap((map) => (isSchema(map) ? Object.values(map) : []));
  return [...lists, ...maps, part.not, part.if, part.then, part.else];
}
