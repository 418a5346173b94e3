import type { JsonSchemaObject } from '../core/tool.js';
import { ExampleBudget } from './example-budget.js';
import { holdsPattern, isShort } from './example-choice.js';
import { exampleNumber } from './example-number.js';
import { exampleText } from './example-text.js';
import { entrySchemas, followReference, isSchema } from './json-schema-parts.js';

const maxDepth = 6;
const maxEntries = 20;
const maxFields = 200;

/**
 * A small value that is meant to pass the schema: required fields only, first choices first, the bounds of its keywords kept.
 * Whether it does pass is for the caller to check. Undefined for a schema that takes more than a small value, or more than a moment.
 */
export function exampleOf(schema: JsonSchemaObject): unknown {
  const maker = new ExampleMaker(schema);
  const made = maker.make(schema, '', 0);
  return maker.budget.isSpent ? undefined : made;
}

class ExampleMaker {
  readonly budget = new ExampleBudget();
  readonly #root: JsonSchemaObject;
  readonly #holdsPattern: boolean;

  constructor(root: JsonSchemaObject) {
    this.#root = root;
    this.#holdsPattern = holdsPattern(root);
  }

  /** `name` is that of the field the value is for, or of the list it is in. */
  make(part: unknown, name: string, depth: number): unknown {
    if (depth > maxDepth) this.budget.end();
    if (this.budget.isSpent) return undefined;
    const schema = this.#whole(part, 0);
    const given = givenValues(schema).find((value) => !this.#holdsPattern || isShort(value));
    if (given !== undefined) return given;
    switch (typeOf(schema)) {
      case 'object':
        return this.#object(schema, depth);
      case 'array':
        return this.#list(schema, name, depth);
      case 'number':
      case 'integer':
        return exampleNumber(schema);
      case 'boolean':
        return true;
      case 'null':
        return null;
      default:
        return this.#text(schema, name);
    }
  }

  #text(schema: JsonSchemaObject, name: string): string | undefined {
    const text = exampleText(schema, name, this.budget);
    // Only what has to be there is made, so without it nothing is valid.
    if (text === undefined) this.budget.end();
    return text;
  }

  /** One schema of what a schema says in several places: behind a reference, in all of a list, in the first of a choice. */
  #whole(part: unknown, depth: number): JsonSchemaObject {
    this.budget.spend();
    if (depth > maxDepth) this.budget.end();
    if (!isSchema(part) || this.budget.isSpent) return {};
    const { $ref, allOf, anyOf, oneOf, ...own } = part;
    const parts: unknown[] = typeof $ref === 'string' ? [followReference(this.#root, $ref)] : [];
    if (Array.isArray(allOf)) parts.push(...allOf.slice(0, maxEntries));
    for (const choices of [anyOf, oneOf]) if (Array.isArray(choices)) parts.push(choices[0]);
    return parts.reduce<JsonSchemaObject>((whole, other) => joined(whole, this.#whole(other, depth + 1)), own);
  }

  #object(schema: JsonSchemaObject, depth: number): Readonly<Record<string, unknown>> {
    const properties = isSchema(schema.properties) ? schema.properties : {};
    const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
    const fields = required.slice(0, maxFields).map((field) => {
      const name = String(field);
      const own = Object.hasOwn(properties, name) ? properties[name] : schema.additionalProperties;
      return [name, this.make(own, name, depth + 1)] as const;
    });
    return Object.fromEntries(fields);
  }

  #list(schema: JsonSchemaObject, name: string, depth: number): readonly unknown[] {
    const { first, others } = entrySchemas(schema);
    const contained = isSchema(schema.contains) ? (typeof schema.minContains === 'number' ? schema.minContains : 1) : 0;
    const whole = first.length + contained;
    const least = typeof schema.minItems === 'number' ? Math.max(schema.minItems, whole) : Math.max(whole, 1);
    const most = typeof schema.maxItems === 'number' ? schema.maxItems : maxEntries;
    const entries: unknown[] = [];
    for (let index = 0; index < Math.min(least, most, maxEntries); index++) {
      const own = index < first.length ? first[index] : index < whole ? schema.contains : others;
      const entry = this.make(own, name.replace(/s$/, ''), depth + 1);
      entries.push(schema.uniqueItems === true ? distinct(entry, index, own) : entry);
    }
    return entries;
  }
}

/** The values that a schema itself names, those that it insists on alone where there are any. */
function givenValues(schema: JsonSchemaObject): readonly unknown[] {
  if ('const' in schema) return [schema.const];
  if (Array.isArray(schema.enum)) return schema.enum;
  return [...(Array.isArray(schema.examples) ? schema.examples : []), ...('default' in schema ? [schema.default] : [])];
}

/** Both at once: fields and demands of either, else the first that speaks. */
function joined(first: JsonSchemaObject, second: JsonSchemaObject): JsonSchemaObject {
  const required = [first.required, second.required].flatMap((names) => (Array.isArray(names) ? names : []));
  const properties = [first.properties, second.properties].filter(isSchema);
  return {
    ...second,
    ...first,
    ...(required.length === 0 ? {} : { required: [...new Set(required)] }),
    ...(properties.length === 0 ? {} : { properties: Object.assign({}, ...properties.reverse()) as JsonSchemaObject }),
  };
}

/** The type a schema names, not null where there is another, or the one that its keywords speak of. */
function typeOf(schema: JsonSchemaObject): unknown {
  const { type } = schema;
  if (Array.isArray(type)) return type.find((one) => one !== 'null') ?? type[0];
  if (type !== undefined) return type;
  if (isSchema(schema.properties) || Array.isArray(schema.required)) return 'object';
  if (schema.items !== undefined || schema.prefixItems !== undefined || schema.minItems !== undefined) return 'array';
  const bounds = [schema.minimum, schema.maximum, schema.exclusiveMinimum, schema.exclusiveMaximum, schema.multipleOf];
  return bounds.some((bound) => typeof bound === 'number') ? 'number' : 'string';
}

/** An entry unlike those before it in a list, where that is easy. */
function distinct(entry: unknown, index: number, schema: unknown): unknown {
  if (isSchema(schema) && Array.isArray(schema.enum)) return schema.enum[index];
  if (index === 0 || (isSchema(schema) && 'const' in schema)) return entry;
  if (typeof entry === 'number') return entry + index;
  return typeof entry === 'string' ? `${entry}${index + 1}` : entry;
}
