import type { JsonSchemaObject } from '../core/schema/json-schema.js';
import { followReference, looser, schemaLists, schemaMaps, singleSchemas } from '../core/schema/keywords.js';
import { mendSchema } from '../core/schema/mend.js';
import { isPortablePattern, patternFlag } from '../core/schema/patterns.js';
import { isRecord } from '../core/support/check-values.js';
import { compileLimits, type DialectRules, strictLimits } from './schema-dialects.js';
import {
  isAnything,
  keptOf,
  labelOf,
  lostOf,
  markedNull,
  merge,
  nullable,
  plainObject,
  refusedAtTop,
  schemasIn,
  typesOf,
  valuesOf,
} from './schema-parts.js';

/** Undefined if the dialect cannot express the part. */
type Compiled = JsonSchemaObject | undefined;

/** The position of a part. */
interface Place {
  readonly path: readonly string[];
  /** The references that were followed on the way to the part. */
  readonly followed: readonly string[];
  readonly depth: number;
}

const start: Place = { path: [], followed: [], depth: 0 };

/** Walks over a schema once and compiles it for a dialect. */
export class SchemaWalk {
  readonly notes: Set<string>;
  /** Original names by changed field names. */
  readonly names = new Map<string, string>();
  readonly #root: JsonSchemaObject;
  readonly #rules: DialectRules;
  readonly #fitted: (name: string) => string;
  readonly #tally = { parts: 0, properties: 0, enumValues: 0, nameChars: 0 };

  /** `fitted` makes a name that every dialect accepts. */
  constructor(root: JsonSchemaObject, rules: DialectRules, fitted: (name: string) => string) {
    const { schema, notes } = mendSchema(root);
    this.#root = schema;
    this.notes = new Set(notes);
    this.#rules = rules;
    this.#fitted = fitted;
  }

  /**
   * Compiles the whole schema into an object with `properties`, without choices and conditions at the top, which
   * providers reject.
   */
  top(): Compiled {
    const left = refusedAtTop.filter((keyword) => keyword in this.#root);
    if (left.length > 0) this.#note(start, `${left.join(', ')} at the top is checked by the original only`);
    const plain = plainObject(this.#root, this.#part);
    const names = Object.keys(plain.properties as object);
    // At the top, an object without properties means a tool without parameters; elsewhere it means any object.
    const isEmpty = this.#rules.isStrict && names.length === 0 && isRecord(this.#root.properties);
    const compiled = this.#node(isEmpty ? { ...plain, additionalProperties: false } : plain, start);
    const { parts, properties, enumValues, nameChars } = this.#tally;
    const isLarge =
      properties > strictLimits.properties ||
      enumValues > strictLimits.enumValues ||
      nameChars > strictLimits.nameChars;
    if (parts > compileLimits.parts || (this.#rules.isStrict && isLarge))
      return this.#inexpressible(start, 'it is too large');
    return compiled;
  }

  #node(given: unknown, place: Place): Compiled {
    if (++this.#tally.parts > compileLimits.parts) return undefined;
    if (!isRecord(given)) return this.#anything({}, place, given === false ? 'no value satisfies it' : undefined);
    if (place.depth > compileLimits.depth) return this.#anything({}, place, 'it is nested too deeply');
    if (this.#rules.isStrict && place.path.length > strictLimits.depth)
      return this.#inexpressible(place, 'it is nested too deeply');
    const { $ref } = given;
    const isWhole = this.#rules.keywords === undefined;
    if (typeof $ref === 'string' && (!isWhole || $ref === '#')) {
      if (place.followed.filter((one) => one === $ref).length >= compileLimits.cycles)
        return this.#anything(this.#resolved(given), start, `${$ref} is cut after ${compileLimits.cycles} rounds`);
      const followed = [...place.followed, $ref];
      return this.#node(this.#resolved(given), { ...place, followed, depth: place.depth + 1 });
    }
    return isWhole ? this.#whole(given, place) : this.#reduced(given, place);
  }

  /** Resolves the reference of a schema, if it has one, and counts the schema as a part. */
  readonly #part = (schema: JsonSchemaObject): JsonSchemaObject =>
    ++this.#tally.parts > compileLimits.parts ? {} : this.#resolved(schema);

  /** The target of a reference, merged with the keywords beside it. */
  #resolved(schema: JsonSchemaObject): JsonSchemaObject {
    const { $ref, ...beside } = schema;
    const target = typeof $ref === 'string' ? followReference(this.#root, $ref) : undefined;
    return target === undefined ? schema : merge([beside, target]);
  }

  /** Compiles for dialects with all keywords of draft 2020-12. */
  #whole(schema: JsonSchemaObject, place: Place): JsonSchemaObject {
    const named = Object.entries(schema.patternProperties ?? {});
    const read = named.filter(([pattern]) => this.#takes(pattern, place));
    // If a pattern is left out, the fields that match it count as additional properties, so these must stay allowed.
    const closing = read.length < named.length ? ['additionalProperties', 'unevaluatedProperties'] : [];
    const kept = Object.entries({ ...schema, ...(named.length > 0 && { patternProperties: Object.fromEntries(read) }) })
      .filter(([keyword, value]) => (keyword === 'pattern' ? this.#takes(value, place) : !closing.includes(keyword)))
      .map(([keyword, value]) => [keyword, this.#inside(keyword, value, place)] as const)
      .map(
        ([keyword, value]) =>
          [lacksPattern(value, schema[keyword]) ? looser(keyword, schema) : keyword, value] as const,
      )
      .filter(([keyword]) => keyword !== undefined);
    const lacksItems = this.#rules.needsItems && typesOf(schema).includes('array') && !('items' in schema);
    return Object.fromEntries([...kept, ...(lacksItems ? [['items', {}] as const] : [])]);
  }

  /** Whether the dialect accepts a pattern; adds a note if not. */
  #takes(pattern: unknown, place: Place): boolean {
    const takes = this.#rules.hasAnyPattern ? (text: string) => patternFlag(text) === 'u' : isPortablePattern;
    const isTaken = typeof pattern !== 'string' || takes(pattern);
    if (!isTaken)
      this.#note(place, `the pattern ${JSON.stringify(pattern).slice(0, 100)} is checked by the original only`);
    return isTaken;
  }

  #inside(keyword: string, value: unknown, place: Place): unknown {
    const node = (part: unknown, name: string) =>
      isRecord(part) ? (this.#node(part, below(place, name)) ?? {}) : part;
    if (keyword === 'required') return (value as readonly string[]).map((name) => this.#nameOf(name));
    if (schemaLists.has(keyword) && Array.isArray(value)) return value.map((part) => node(part, keyword));
    if (schemaMaps.has(keyword)) {
      const name = (given: string) => (keyword === 'properties' ? this.#nameOf(given) : given);
      return Object.fromEntries(Object.entries(value as object).map(([key, part]) => [name(key), node(part, key)]));
    }
    return singleSchemas.has(keyword) ? node(value, keyword) : value;
  }

  /** Compiles for dialects with a limited vocabulary: every choice becomes an `anyOf` of schemas with one type each. */
  #reduced(given: JsonSchemaObject, place: Place): Compiled {
    const { allOf, ...own } = given;
    const parts = schemasIn(given, 'allOf').map(this.#part);
    const { anyOf, oneOf, ...base } = allOf === undefined ? given : merge([own, ...parts]);
    const choices = anyOf ?? oneOf;
    if (Array.isArray(choices) && isRecord(base.properties)) {
      this.#note(place, 'the properties of all choices are merged');
      return this.#reduced(plainObject({ ...base, anyOf: choices }, this.#part), place);
    }
    const { description, default: _, ...shared } = base;
    if (Array.isArray(choices)) {
      const isPlain = Object.keys(shared).length === 0;
      const members = choices.map((part: unknown) => (isPlain || !isRecord(part) ? part : merge([part, shared])));
      return this.#union(members, description, place);
    }
    const types = typesOf(base);
    const [type = '', ...others] = types;
    if (type !== '' && others.length === 0) {
      const compiled = this.#typed(base, type, place);
      const lost = compiled === undefined ? [] : lostOf(base, compiled, type);
      if (lost.length > 0) this.#note(place, `checked by the original only: ${lost.join(', ')}`);
      return compiled;
    }
    if (types.length === 0) {
      const isContrary = base.type !== undefined || valuesOf(base) !== undefined;
      return this.#anything(base, place, isContrary ? 'no value satisfies it' : undefined);
    }
    const members = types.map((type) => ({ ...shared, type }));
    return this.#union(members, description, place);
  }

  #union(members: readonly unknown[], description: unknown, place: Place): Compiled {
    const label = labelOf({ description });
    const all: JsonSchemaObject[] = [];
    for (const member of members) {
      const compiled = this.#node(member, { ...place, depth: place.depth + 1 });
      if (compiled === undefined) return undefined;
      const isPlain = Array.isArray(compiled.anyOf) && Object.keys(compiled).length === 1;
      all.push(...(isPlain ? (compiled.anyOf as JsonSchemaObject[]) : [compiled]));
    }
    const made = [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
    if (made.length === 0) return this.#anything({}, place, 'no value satisfies it');
    if (made.some(isAnything)) return { ...label };
    const [first, ...others] = this.#rules.isOpenApi ? markedNull(made, label) : made;
    if (others.length === 0) return { ...first, ...label };
    return { anyOf: [first, ...others], ...(this.#rules.isOpenApi ? {} : label) };
  }

  #typed(schema: JsonSchemaObject, type: string, place: Place): Compiled {
    const { isOpenApi, isStrict } = this.#rules;
    const label = labelOf(schema);
    const { pattern: _, ...unread } = schema;
    const read = type !== 'string' || this.#takes(schema.pattern, place) ? schema : unread;
    const own = { type, ...keptOf(read, this.#rules, type), ...label };
    if (type === 'object') return this.#object(schema, own, place);
    if (type === 'array') return this.#array(schema, own, place);
    if (type === 'null') return own;
    const values = valuesOf(schema, type);
    if (values === undefined) return own;
    if (values.length === 0) return this.#anything(schema, place, 'no value satisfies it');
    this.#tally.enumValues += values.length;
    this.#tally.nameChars += isStrict ? values.join('').length : 0;
    if (!isOpenApi || (type === 'string' && !values.includes(''))) return { ...own, enum: values };
    const choice = `One of ${values.map((value) => JSON.stringify(value)).join(', ')}.`;
    return { ...own, description: `${label.description ?? ''} ${choice}`.trim() };
  }

  #object(schema: JsonSchemaObject, own: JsonSchemaObject, place: Place): Compiled {
    const { additionalProperties: others, patternProperties } = schema;
    const { isStrict, isOpenApi } = this.#rules;
    const fields = Object.entries(isRecord(schema.properties) ? schema.properties : {});
    const listed = new Set(Array.isArray(schema.required) ? (schema.required as unknown[]) : []);
    const required = fields.map(([name]) => name).filter((name) => listed.has(name));
    const isOpen = (others ?? fields.length === 0) !== false || isRecord(patternProperties);
    if (isStrict && isOpen) return this.#inexpressible(place, 'it is an open object');
    if (isStrict && required.length < listed.size) return this.#inexpressible(place, 'it requires an unknown field');
    this.#tally.properties += fields.length;
    const compiled: [string, JsonSchemaObject][] = [];
    for (const [name, field] of fields) {
      this.#tally.nameChars += name.length;
      const one = this.#node(field, below(place, name));
      if (one === undefined) return undefined;
      const typed = isOpenApi && one.type === 'null' ? { ...one, ...markedNull([one], {})[0] } : one;
      compiled.push([this.#nameOf(name), isStrict && !listed.has(name) ? nullable(typed) : typed]);
    }
    const names = isStrict ? compiled.map(([name]) => name) : required.map((name) => this.#nameOf(name));
    const rest = isRecord(others) ? this.#node(others, below(place, '*')) : others;
    return {
      ...own,
      ...(isStrict || isRecord(schema.properties) ? { properties: Object.fromEntries(compiled) } : {}),
      ...(isStrict || names.length > 0 ? { required: names } : {}),
      ...(isStrict ? { additionalProperties: false } : {}),
      ...('additionalProperties' in own ? { additionalProperties: isRecord(patternProperties) ? true : rest } : {}),
    };
  }

  #array(schema: JsonSchemaObject, own: JsonSchemaObject, place: Place): Compiled {
    const first = schemasIn(schema, 'prefixItems');
    const { items: others = true } = schema;
    const isFull = typeof schema.maxItems === 'number' && schema.maxItems <= first.length;
    const rest = first.length > 0 && (others === false || isFull) ? [] : [others];
    const items = this.#union([...first, ...rest], undefined, below(place, 'items'));
    if (items === undefined) return undefined;
    return { ...own, ...(this.#rules.needsItems || Object.keys(items).length > 0 ? { items } : {}) };
  }

  /** The schema that accepts any value. */
  #anything(schema: JsonSchemaObject, place: Place, why?: string): Compiled {
    if (this.#rules.isStrict) return this.#inexpressible(place, why ?? 'it is of any type');
    if (why !== undefined) this.#note(place, `accepts any value: ${why}`);
    return labelOf(schema);
  }

  #inexpressible(place: Place, why: string): undefined {
    this.#note(place, `cannot be expressed: ${why}`);
    return undefined;
  }

  #note({ path }: Place, text: string): void {
    this.notes.add(`${path.length === 0 ? 'the input' : path.join('.')}: ${text}`);
  }

  #nameOf(name: string): string {
    if (this.#rules.fieldName?.test(name) ?? true) return name;
    const fitted = this.#fitted(name);
    this.names.set(fitted, name);
    return fitted;
  }
}

/** Whether a pattern was left out anywhere in a part. */
function lacksPattern(compiled: unknown, given: unknown): boolean {
  const patterns = (part: unknown) => JSON.stringify(part)?.split('"pattern').length;
  return patterns(compiled) !== patterns(given);
}

function below({ path, depth, ...place }: Place, name: string): Place {
  return { ...place, path: [...path, name], depth: depth + 1 };
}
