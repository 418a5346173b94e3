import type { JsonSchemaObject } from '../core/tool.js';
import { exampleNumber } from './example-number.js';
import { exampleText } from './example-text.js';
import { entrySchemas, followReference, isSchema } from './json-schema-parts.js';

const maxDepth = 6;
const maxEntries = 20;
const maxParts = 200;

/**
 * A small value that is meant to pass the schema: required fields only, first choices first, the bounds of its keywords kept.
 * Whether it does pass is for the caller to check. Undefined for a schema that takes more than a small value.
 */
export function exampleOf(schema: JsonSchemaObject): unknown {
  return new ExampleMaker(schema).make(schema, '', 0);
}

class ExampleMaker {
  readonly #root: JsonSchemaObject;
  #parts = 0;

  constructor(root: JsonSchemaObject) {
    this.#root = root;
  }

  /** `name` is that of the field the value is for, or of the list it is in. */
  make(part: unknown, name: string, depth: number): unknown {
    this.#parts += 1;
    if (depth > maxDepth || this.#parts > maxParts) return undefined;
    const schema = this.#whole(part, 0);
    if ('const' in schema) return schema.const;
    if (Array.isArray(schema.enum)) return schema.enum[0];
    if (Array.isArray(schema.examples) && schema.examples.length > 0) return schema.examples[0];
    if ('default' in schema) return schema.default;
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
        return exampleText(schema, name);
    }
  }

  /** One schema of what a schema says in several places: behind a reference, in all of a list, in the first of a choice. */
  #whole(part: unknown, depth: number): JsonSchemaObject {
    if (!isSchema(part) || depth > maxDepth) return {};
    const { $ref, allOf, anyOf, oneOf, ...own } = part;
    const parts: unknown[] = typeof $ref === 'string' ? [followReference(this.#root, $ref)] : [];
    if (Array.isArray(allOf)) parts.push(...allOf.slice(0, maxEntries));
    for (const choices of [anyOf, oneOf]) if (Array.isArray(choices)) parts.push(choices[0]);
    return parts.reduce<JsonSchemaObject>((whole, other) => joined(whole, this.#whole(other, depth + 1)), own);
  }

  #object(schema: JsonSchemaObject, depth: number): Readonly<Record<string, unknown>> {
    const properties = isSchema(schema.properties) ? schema.properties : {};
    const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
    const fields = required.slice(0, maxParts).map((field) => {
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
