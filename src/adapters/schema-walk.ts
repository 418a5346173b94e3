import type { JsonSchemaObject } from '../core/schema/json-schema.js';
import { schemaLists, schemaMaps, singleSchemas } from '../core/schema/schema-draft.js';
import { isRecord } from '../core/support/is-record.js';
import { entrySchemas, followReference } from '../pipeline/input/json-schema-parts.js';
import { compileLimits, type DialectRules, strictLimits } from './schema-dialects.js';
import { keywordFits, merge, modern, schemasIn, sideBySide, typesOf, valuesOf } from './schema-parts.js';

/** Undefined is what the dialect cannot say. */
type Said = JsonSchemaObject | undefined;

/** Where a part stands. */
interface Place {
  readonly path: readonly string[];
  /** The references that led there. */
  readonly followed: readonly string[];
}

const refusedAtTop = ['anyOf', 'oneOf', 'allOf', 'not', 'enum', 'const', 'if', 'then', 'else'];

/** The one walk over a schema, which says it in the words of a dialect. */
export class SchemaWalk {
  readonly notes: string[] = [];
  /** Names of fields that were changed, and what they were. */
  readonly names = new Map<string, string>();
  readonly #root: JsonSchemaObject;
  readonly #rules: DialectRules;
  readonly #fitted: (name: string) => string;
  readonly #tally = { parts: 0, properties: 0, enumValues: 0, nameChars: 0 };

  /** `fitted` makes a name that every dialect takes. */
  constructor(root: JsonSchemaObject, rules: DialectRules, fitted: (name: string) => string) {
    this.#root = root;
    this.#rules = rules;
    this.#fitted = fitted;
  }

  /** The whole: an object with `properties`, and no choice or condition at the very top, which providers refuse. */
  top(): Said {
    const place: Place = { path: [], followed: [] };
    const left = refusedAtTop.filter((keyword) => keyword in this.#root);
    if (left.length > 0) this.#note(place, `${left.join(', ')} at the top: the original validates it`);
    const plain = this.#plain(this.#root, 0);
    const names = Object.keys(plain.properties as object);
    // At the top, no properties at all means a tool without parameters; anywhere else it means any object.
    const isEmpty = this.#rules.isStrict && names.length === 0 && isRecord(this.#root.properties);
    const said = this.#node(isEmpty ? { ...plain, additionalProperties: false } : plain, place);
    const { parts, properties, enumValues, nameChars } = this.#tally;
    const isLarge =
      properties > strictLimits.properties ||
      enumValues > strictLimits.enumValues ||
      nameChars > strictLimits.nameChars;
    if (parts > compileLimits.parts || (this.#rules.isStrict && isLarge)) return this.#unsaid(place, 'is too large');
    return said;
  }

  /** An object without choices: what their branches declare stands side by side. */
  #plain(given: JsonSchemaObject, depth: number): JsonSchemaObject {
    const schema = this.#resolved(given);
    const branches = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) =>
      schemasIn(schema, keyword).map((part) => ({ keyword, part: depth < 5 ? this.#plain(part, depth + 1) : part })),
    );
    const required = [schema, ...branches.filter(({ keyword }) => keyword === 'allOf').map(({ part }) => part)];
    const all = new Set(required.flatMap((part) => (Array.isArray(part.required) ? (part.required as unknown[]) : [])));
    const kept = Object.entries(schema).filter(([keyword]) => !refusedAtTop.includes(keyword));
    return {
      ...Object.fromEntries(kept),
      type: 'object',
      properties: sideBySide([schema, ...branches.map(({ part }) => part)]),
      ...(all.size === 0 ? {} : { required: [...all] }),
    };
  }

  #node(given: unknown, place: Place): Said {
    if (++this.#tally.parts > compileLimits.parts) return undefined;
    if (!isRecord(given)) return this.#anything({}, place, given === false ? 'takes no value' : undefined);
    if (place.path.length > compileLimits.depth) return this.#anything({}, place, 'is too deep');
    const { $ref } = given;
    const isWhole = this.#rules.keywords === undefined;
    if (typeof $ref === 'string') {
      const target = followReference(this.#root, $ref);
      if (target === undefined) return this.#anything(given, place, `${$ref} leads nowhere in the schema`);
      if (!isWhole || !/^#\/(?:\$defs|definitions)\//.test($ref)) {
        if (place.followed.filter((one) => one === $ref).length >= compileLimits.cycles)
          return this.#anything(target, place, `${$ref} is cut after ${compileLimits.cycles} rounds`);
        return this.#node(this.#resolved(given), { ...place, followed: [...place.followed, $ref] });
      }
    }
    return isWhole ? this.#whole(given, place) : this.#reduced(given, place);
  }

  /** What a reference leads to, with the keywords beside it. */
  #resolved(schema: JsonSchemaObject): JsonSchemaObject {
    const { $ref, ...beside } = schema;
    const target = typeof $ref === 'string' ? followReference(this.#root, $ref) : undefined;
    return target === undefined ? schema : merge([beside, target]);
  }

  /** For dialects that take all of 2020-12: what other drafts write in another way, and what is written wrongly. */
  #whole(schema: JsonSchemaObject, place: Place): JsonSchemaObject {
    const kept: [string, unknown][] = [];
    for (const given of Object.keys(schema)) {
      const [keyword, value] = modern(given, schema) ?? [given, undefined];
      if (keywordFits(keyword, value)) kept.push([keyword, this.#inside(keyword, value, place)]);
      else this.#note(place, `${given} is left out: its value is none that JSON Schema has`);
    }
    const lacksItems =
      this.#rules.needsItems && typesOf(schema).includes('array') && !kept.some(([key]) => key === 'items');
    return Object.fromEntries([...kept, ...(lacksItems ? [['items', {}]] : [])]) as JsonSchemaObject;
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

  /** For dialects with a vocabulary of their own: every choice is an `anyOf` of schemas of one type each. */
  #reduced(given: JsonSchemaObject, place: Place): Said {
    const { allOf, ...own } = given;
    const parts = schemasIn(given, 'allOf').map((part) => this.#resolved(part));
    const { anyOf, oneOf, ...base } = allOf === undefined ? given : merge([own, ...parts]);
    const choices = anyOf ?? oneOf;
    if (Array.isArray(choices) && isRecord(base.properties)) {
      this.#note(place, 'its choices stand side by side: the original validates them');
      return this.#reduced(this.#plain({ ...base, anyOf: choices }, 0), place);
    }
    const { description, title: _, default: __, ...shared } = base;
    if (Array.isArray(choices)) {
      const isBare = Object.keys(shared).length === 0;
      const members = choices.map((part: unknown) => (isBare || !isRecord(part) ? part : merge([part, shared])));
      return this.#union(members, description, place);
    }
    const types = typesOf(base);
    if (types.length === 1) return this.#typed(base, types[0] ?? '', place);
    if (types.length === 0) {
      const isContrary = base.type !== undefined || valuesOf(base) !== undefined;
      return this.#anything(base, place, isContrary ? 'takes no value' : undefined);
    }
    const members = types.map((type) => ({ ...shared, type }));
    return this.#union(members, description, place);
  }

  #union(members: readonly unknown[], description: unknown, place: Place): Said {
    const label = labelOf({ description });
    const made: JsonSchemaObject[] = [];
    for (const member of members) {
      const said = this.#node(member, place);
      if (said === undefined) return undefined;
      if (!made.some((other) => JSON.stringify(other) === JSON.stringify(said))) made.push(said);
    }
    if (made.length === 0) return this.#anything({}, place, 'has no choices');
    if (made.some(isOpen)) return { ...label };
    const [first, ...others] = this.#rules.isOpenApi ? withMark(made, label) : made;
    if (others.length === 0) return { ...first, ...label };
    return { anyOf: [first, ...others], ...(this.#rules.isOpenApi ? {} : label) };
  }

  #typed(schema: JsonSchemaObject, type: string, place: Place): Said {
    const { isOpenApi, isStrict } = this.#rules;
    const label = labelOf(schema);
    if (type === 'object')
      return this.#object(schema, { ...this.#kept(schema, ['default', 'title']), ...label }, place);
    if (type === 'array') return this.#array(schema, place);
    if (type === 'null' && isOpenApi) return { nullable: true, ...label };
    const own = { type, ...this.#kept(schema, constraints[type] ?? []), ...label };
    const values = valuesOf(schema, type);
    if (values === undefined)
      return constraints[type] === undefined ? this.#anything(schema, place, 'has no known type') : own;
    this.#tally.enumValues += values.length;
    this.#tally.nameChars += isStrict ? values.join('').length : 0;
    if (!isOpenApi) return { ...own, enum: values };
    if (type === 'string' && !values.includes('')) return { ...own, enum: values };
    const choice = `One of ${values.map((value) => JSON.stringify(value)).join(', ')}.`;
    return { ...own, description: [label.description, choice].filter((text) => text !== undefined).join(' ') };
  }

  #object(schema: JsonSchemaObject, label: JsonSchemaObject, place: Place): Said {
    const { properties, additionalProperties, patternProperties } = schema;
    const { isStrict, keywords } = this.#rules;
    const fields = isRecord(properties) ? Object.entries(properties) : [];
    const listed: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
    const required = listed.filter(
      (name) => isRecord(properties) && Object.hasOwn(properties, String(name)),
    ) as string[];
    const isOpen = (additionalProperties ?? fields.length === 0) !== false || isRecord(patternProperties);
    if (isStrict && (isOpen || required.length < new Set(listed).size))
      return this.#unsaid(place, isOpen ? 'is an open object' : 'requires a field that it does not declare');
    this.#tally.properties += fields.length;
    const said: [string, JsonSchemaObject][] = [];
    for (const [name, field] of fields) {
      this.#tally.nameChars += name.length;
      const one = this.#node(field, below(place, name));
      if (one === undefined) return undefined;
      said.push([this.#nameOf(name), isStrict && !required.includes(name) ? nullable(one) : one]);
    }
    const names = isStrict ? said.map(([name]) => name) : required.map((name) => this.#nameOf(name));
    const others =
      keywords?.has('additionalProperties') && additionalProperties !== undefined && !isRecord(patternProperties);
    const rest = isRecord(additionalProperties)
      ? this.#node(additionalProperties, below(place, '*'))
      : additionalProperties;
    return {
      type: 'object',
      ...(isStrict || isRecord(properties) ? { properties: Object.fromEntries(said) } : {}),
      ...(isStrict || names.length > 0 ? { required: names } : {}),
      ...(isStrict ? { additionalProperties: false } : others ? { additionalProperties: rest } : {}),
      ...label,
    };
  }

  #array(schema: JsonSchemaObject, place: Place): Said {
    const { first, others } = entrySchemas(schema);
    const isFull = typeof schema.maxItems === 'number' && schema.maxItems <= first.length;
    const rest = others === false || isFull ? [] : [others ?? true];
    const items =
      first.length === 0
        ? this.#node(others ?? true, below(place, 'items'))
        : this.#union([...first, ...rest], undefined, below(place, 'items'));
    if (items === undefined) return undefined;
    const kept = this.#kept(schema, ['minItems', 'maxItems', 'uniqueItems', 'default', 'title']);
    const isSaid = this.#rules.needsItems || Object.keys(items).length > 0;
    return { type: 'array', ...(isSaid ? { items } : {}), ...kept, ...labelOf(schema) };
  }

  /** The keywords among these that the dialect knows, where they hold what it takes. */
  #kept(schema: JsonSchemaObject, keywords: readonly string[]): JsonSchemaObject {
    const { formats } = this.#rules;
    const holds = (keyword: string, value: unknown) => {
      if (!this.#rules.keywords?.has(keyword) || !keywordFits(keyword, value)) return false;
      if (keyword === 'format') return formats === undefined || formats.has(value as string);
      return keyword !== 'pattern' || isPlainPattern(value as string);
    };
    const found = keywords.filter((keyword) => keyword in schema && holds(keyword, schema[keyword]));
    return Object.fromEntries(found.map((keyword) => [keyword, schema[keyword]]));
  }

  /** A value of any kind. */
  #anything(schema: JsonSchemaObject, place: Place, why?: string): Said {
    if (this.#rules.isStrict) return this.#unsaid(place, why ?? 'is of any type');
    if (why !== undefined) this.#note(place, `takes anything here: it ${why}`);
    return labelOf(schema);
  }

  #unsaid(place: Place, why: string): undefined {
    this.#note(place, `cannot be said: it ${why}`);
    return undefined;
  }

  #note({ path }: Place, text: string): void {
    const note = `${path.length === 0 ? 'the input' : path.join('.')} ${text}`;
    if (!this.notes.includes(note)) this.notes.push(note);
  }

  #nameOf(name: string): string {
    if (this.#rules.fieldName?.test(name) ?? true) return name;
    const fitted = this.#fitted(name);
    this.names.set(fitted, name);
    return fitted;
  }
}

const numeric = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'format',
  'default',
  'title',
];
const constraints: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern', 'format', 'default', 'title'],
  number: numeric,
  integer: numeric,
  boolean: ['default', 'title'],
  null: [],
};

function below({ path, followed }: Place, name: string): Place {
  return { path: [...path, name], followed };
}

function labelOf({ description }: JsonSchemaObject): { readonly description?: string } {
  return typeof description === 'string' ? { description } : {};
}

function isOpen(schema: JsonSchemaObject): boolean {
  return Object.keys(schema).every((keyword) => keyword === 'description');
}

/** Members of a choice in OpenAPI: null is a mark on the first of the others, and nothing stands beside `anyOf`. */
function withMark(members: readonly JsonSchemaObject[], label: object): readonly JsonSchemaObject[] {
  const isNull = (one: JsonSchemaObject) => one.type === undefined && one.nullable === true;
  const [first, ...others] = members
    .flatMap((one) => (Array.isArray(one.anyOf) ? (one.anyOf as JsonSchemaObject[]) : [one]))
    .filter((one) => !isNull(one));
  const mark = members.some(isNull) ? { nullable: true } : {};
  return [{ ...first, ...(others.length > 0 ? label : {}), ...mark }, ...others];
}

const nothing = { type: 'null' } as const;

function nullable(field: JsonSchemaObject): JsonSchemaObject {
  const { description: _, ...body } = field;
  const label = labelOf(field);
  if (Array.isArray(field.anyOf)) {
    const takesNull = field.anyOf.some((one: JsonSchemaObject) => one.type === 'null');
    return takesNull ? field : { anyOf: [...field.anyOf, nothing], ...label };
  }
  if (field.type === 'null') return field;
  if (field.type === 'object' || field.type === 'array') return { anyOf: [body, nothing], ...label };
  return {
    ...body,
    type: [field.type, 'null'],
    ...(Array.isArray(field.enum) ? { enum: [...field.enum, null] } : {}),
    ...label,
  };
}

// The engines of strict modes know neither groups with `(?`, such as look-around, nor back references.
function isPlainPattern(pattern: string): boolean {
  return !/\(\?|\\[1-9k]/.test(pattern);
}
