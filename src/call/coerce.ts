import { isDeepStrictEqual } from 'node:util';
import type { Limits } from '../core/limits.js';
import type { JsonSchemaObject } from '../core/schema/json-schema.js';
import { followReference } from '../core/schema/keywords.js';
import { mendSchema } from '../core/schema/mend.js';
import { tooMuchWork } from '../core/schema/patterns.js';
import { isRecord } from '../core/support/check-values.js';
import { convert } from './lossless-conversions.js';

/** A value after coercion, with a note for each field that changed, such as `limit: text to number`. */
export interface Coerced {
  readonly value: Readonly<Record<string, unknown>>;
  readonly coercions: readonly string[];
}

/**
 * Converts the values of an input to the types of its JSON Schema, if the conversion is lossless and unambiguous;
 * {@link convert} lists the conversions. A null is removed if its field is optional and does not accept null. A value
 * whose type the schema accepts is not converted, but the values inside it may be. The top-level fields named in
 * `literal` are not converted.
 */
export function coerce(
  input: Readonly<Record<string, unknown>>,
  schema: JsonSchemaObject,
  literal: ReadonlySet<string>,
  limits: Limits['call'],
): Coerced {
  const { schema: root } = mendSchema(schema);
  const coercer = new Coercer(root, literal, limits);
  try {
    const value = coercer.visit(input, root, []) as Readonly<Record<string, unknown>>;
    return { value, coercions: coercer.coercions };
  } catch (thrown) {
    if (thrown !== tooMuchWork) throw thrown;
    return { value: input, coercions: [] };
  }
}

/**
 * The maximum number of parts of a schema and an input that one coercion visits. The schema of an MCP server may be
 * huge.
 */
const maxSteps = 50_000;

class Coercer {
  readonly coercions: string[] = [];
  readonly #root: JsonSchemaObject;
  readonly #literal: ReadonlySet<string>;
  readonly #limits: Limits['call'];
  #left = maxSteps;

  constructor(root: JsonSchemaObject, literal: ReadonlySet<string>, limits: Limits['call']) {
    this.#root = root;
    this.#literal = literal;
    this.#limits = limits;
  }

  visit(value: unknown, schema: JsonSchemaObject, path: readonly string[]): unknown {
    if (path.length > this.#limits.maxInputDepth) return value;
    const branches = this.#branches(schema);
    const accepting = branches.filter((branch) => acceptsType(value, branch));
    const tagged = accepting.filter((branch) => isTagged(value, branch));
    const fitting = tagged.find((branch) => this.#isLike(value, branch)) ?? tagged[0] ?? accepting[0];
    if (fitting !== undefined) return this.#inside(value, fitting, path);
    if (path.length === 1 && this.#literal.has(path[0] ?? '')) return value;
    const [only, ...others] = branches.flatMap((branch) => convert(value, branch, this.#limits) ?? []);
    // If two branches would convert the value differently, the choice would be a guess.
    if (only === undefined || others.some((other) => !isDeepStrictEqual(other.value, only.value))) return value;
    this.coercions.push(`${path.join('.')}: ${only.how}`);
    return this.#inside(only.value, only.branch, path);
  }

  #inside(value: unknown, schema: JsonSchemaObject, path: readonly string[]): unknown {
    if (Array.isArray(value)) {
      const { prefixItems, items } = schema;
      const first: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : [];
      if (first.length === 0 && !isRecord(items)) return value;
      return value.map((entry: unknown, index) => {
        const own = index < first.length ? first[index] : items;
        return isRecord(own) ? this.visit(entry, own, [...path, String(index)]) : entry;
      });
    }
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).flatMap(([key, entry]) => this.#field(key, entry, schema, path)));
  }

  #field(key: string, value: unknown, schema: JsonSchemaObject, path: readonly string[]): [string, unknown][] {
    const properties = isRecord(schema.properties) ? schema.properties : {};
    const own = Object.hasOwn(properties, key) ? properties[key] : schema.additionalProperties;
    if (!isRecord(own)) return [[key, value]];
    const isRequired = Array.isArray(schema.required) && schema.required.includes(key);
    if (value === null && !isRequired && !this.#branches(own).some((branch) => acceptsType(null, branch))) {
      this.coercions.push(`${[...path, key].join('.')}: null to absent`);
      return [];
    }
    return [[key, this.visit(value, own, [...path, key])]];
  }

  #spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw tooMuchWork;
  }

  /** Whether an object schema has every field of the value and accepts the type of each; null always fits. */
  #isLike(value: unknown, { properties }: JsonSchemaObject): boolean {
    if (typeof value !== 'object' || value === null || !isRecord(properties)) return false;
    this.#spend(sizeOf(value));
    return Object.entries(value).every(([name, entry]) => {
      const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (!isRecord(own)) return false;
      return entry === null || this.#branches(own).some((branch) => acceptsType(entry, branch));
    });
  }

  /** The alternatives of a schema, with local references resolved. */
  #branches(schema: JsonSchemaObject, depth = 0): JsonSchemaObject[] {
    this.#spend(1 + sizeOf(schema.properties) + sizeOf(schema.enum));
    if (depth > 8) return [];
    const target = typeof schema.$ref === 'string' ? followReference(this.#root, schema.$ref) : schema;
    if (target === undefined) return [];
    const { anyOf, oneOf, allOf, type } = target;
    const choices = Array.isArray(anyOf)
      ? anyOf
      : Array.isArray(oneOf)
        ? oneOf
        : Array.isArray(allOf) && type === undefined
          ? allOf.filter((part) => allOf.length === 1 || (isRecord(part) && part.type !== undefined)).slice(0, 1)
          : undefined;
    if (choices !== undefined && choices.length > 0)
      return choices.filter(isRecord).flatMap((choice) => this.#branches(choice, depth + 1));
    if (Array.isArray(type)) return type.map((one: unknown) => ({ ...target, type: one }));
    return target === schema ? [schema] : this.#branches(target, depth + 1);
  }
}

function sizeOf(value: unknown): number {
  return Array.isArray(value) ? value.length : Object.keys(value ?? {}).length;
}

/** Whether a value matches every `const` field of an object schema. An optional field may also be missing or null. */
function isTagged(value: unknown, { properties, required }: JsonSchemaObject): boolean {
  if (typeof value !== 'object' || value === null || !isRecord(properties)) return false;
  return Object.entries(properties).every(([name, property]) => {
    if (!isRecord(property) || !('const' in property)) return true;
    const own: unknown = Object.hasOwn(value, name) ? value[name as never] : null;
    const mayLack = own === null && !(Array.isArray(required) && required.includes(name));
    return mayLack || own === property.const;
  });
}

function acceptsType(value: unknown, schema: JsonSchemaObject): boolean {
  switch (schema.type) {
    case 'string':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number';
    case 'integer':
      return Number.isInteger(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'null':
      return value === null;
    default:
      // A schema without a type accepts the values of its const or enum; without those, it accepts any value.
      if ('const' in schema) return value === schema.const;
      return !Array.isArray(schema.enum) || schema.enum.includes(value);
  }
}
