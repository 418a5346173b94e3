import type { JsonSchemaObject } from '../core/schema/json-schema.js';
import { isRecord } from '../core/support/is-record.js';
import { recordsOf, type WireRecord } from './wire-records.js';

/**
 * The schema rewritten for OpenAI's strict mode (the "supported schemas" of Structured Outputs): every object closed,
 * every field required, a field that may be missing nullable. Undefined where the result is not certain to be accepted,
 * for instance for `$ref`, `oneOf`, open objects or untyped values. Checks that strict mode cannot express, such as
 * `minLength`, are left to the tool's own schema.
 */
export function strictSchema(schema: JsonSchemaObject): JsonSchemaObject | undefined {
  // At the top, no properties at all means a tool without parameters; anywhere else it means "any object".
  const top =
    isRecord(schema.properties) && Object.keys(schema.properties).length === 0 ? { ...schema, ...closed } : schema;
  const tally = { properties: 0, enumValues: 0, nameChars: 0 };
  const strict = top.type === 'object' ? strictNode(top, 0, tally) : undefined;
  const { properties, enumValues, nameChars } = published;
  return tally.properties > properties || tally.enumValues > enumValues || tally.nameChars > nameChars
    ? undefined
    : strict;
}

/** What a whole schema holds, for the limits of strict mode. */
interface Tally {
  properties: number;
  enumValues: number;
  nameChars: number;
}

// The smallest limits that OpenAI and Azure OpenAI have published, so that the schema passes wherever it is sent.
const published = { properties: 100, enumValues: 500, nameChars: 15_000, depth: 5 } as const;

const closed = { additionalProperties: false } as const;
const nothing = { type: 'null' } as const;
const scalars = ['string', 'number', 'integer', 'boolean', 'null'];
const formats = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'];
const numeric = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];
const silent = ['title', 'default', 'examples', '$comment', 'deprecated', 'readOnly', 'writeOnly', 'uniqueItems'];
const lengths = ['minLength', 'maxLength', 'contentEncoding', 'contentMediaType'];

/** The keywords that may stand in a schema of each kind; any other makes it uncertain. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  anyOf: ['anyOf'],
  object: ['type', 'properties', 'required', 'additionalProperties'],
  array: ['type', 'items', 'minItems', 'maxItems'],
  scalar: ['type', 'enum', 'const', 'format', 'pattern', ...numeric, ...lengths],
};

function strictNode(schema: unknown, depth: number, tally: Tally): JsonSchemaObject | undefined {
  if (!isRecord(schema) || depth > published.depth) return undefined;
  if (Array.isArray(schema.type)) return strictTypeList(schema, schema.type, depth, tally);
  const type = schema.type ?? typeOfValues(schema);
  const kind = schema.anyOf !== undefined ? 'anyOf' : scalars.includes(String(type)) ? 'scalar' : String(type);
  const known = [...(allowed[kind] ?? []), 'description', ...silent];
  if (!Object.hasOwn(allowed, kind) || !Object.keys(schema).every((keyword) => known.includes(keyword)))
    return undefined;
  const description = typeof schema.description === 'string' ? { description: schema.description } : {};
  const body = bodies[kind]?.({ ...schema, type }, depth, tally);
  return body === undefined ? undefined : { ...body, ...description };
}

const bodies: Readonly<
  Record<string, (schema: WireRecord, depth: number, tally: Tally) => JsonSchemaObject | undefined>
> = {
  anyOf: strictUnion,
  object: strictObject,
  array: strictArray,
  scalar: strictScalar,
};

function strictObject(schema: WireRecord, depth: number, tally: Tally): JsonSchemaObject | undefined {
  const { properties, required = [], additionalProperties = false } = schema;
  if (!isRecord(properties) || additionalProperties !== false || !Array.isArray(required)) return undefined;
  const names = Object.keys(properties);
  if (names.length === 0 && !Object.hasOwn(schema, 'additionalProperties')) return undefined;
  if (!required.every((name) => Object.hasOwn(properties, String(name)))) return undefined;
  tally.properties += names.length;
  const fields: [string, JsonSchemaObject][] = [];
  for (const name of names) {
    tally.nameChars += name.length;
    const field = strictNode(properties[name], depth + 1, tally);
    if (field === undefined) return undefined;
    fields.push([name, required.includes(name) ? field : nullable(field)]);
  }
  return { type: 'object', properties: Object.fromEntries(fields), required: names, ...closed };
}

function strictArray(
  { items, minItems, maxItems }: WireRecord,
  depth: number,
  tally: Tally,
): JsonSchemaObject | undefined {
  const item = strictNode(items, depth + 1, tally);
  if (item === undefined) return undefined;
  return {
    type: 'array',
    items: item,
    ...(typeof minItems === 'number' ? { minItems } : {}),
    ...(typeof maxItems === 'number' ? { maxItems } : {}),
  };
}

function strictUnion({ anyOf }: WireRecord, depth: number, tally: Tally): JsonSchemaObject | undefined {
  if (!Array.isArray(anyOf) || anyOf.length === 0) return undefined;
  const members = anyOf.map((member: unknown) => strictNode(member, depth, tally));
  return members.every((member) => member !== undefined) ? { anyOf: members } : undefined;
}

/** `type: ['string', 'null']` and the like: a choice of one schema for each type. */
function strictTypeList(
  schema: WireRecord,
  types: readonly unknown[],
  depth: number,
  tally: Tally,
): JsonSchemaObject | undefined {
  const { description, enum: values, const: value, ...rest } = schema;
  if (value !== undefined || types.length === 0) return undefined;
  const anyOf = types.map((type) => {
    if (type === 'null') return nothing;
    return { ...rest, type, ...(Array.isArray(values) ? { enum: values.filter((entry) => entry !== null) } : {}) };
  });
  return strictNode({ anyOf, ...(description === undefined ? {} : { description }) }, depth, tally);
}

function strictScalar(schema: WireRecord, _depth: number, tally: Tally): JsonSchemaObject | undefined {
  const values = schema.const === undefined ? schema.enum : [schema.const];
  if (
    values !== undefined &&
    !(Array.isArray(values) && values.length > 0 && values.every((value) => isOfType(value, schema.type)))
  ) {
    return undefined;
  }
  tally.enumValues += values?.length ?? 0;
  tally.nameChars += (values ?? []).join('').length;
  return { type: schema.type, ...(values === undefined ? {} : { enum: values }), ...constraintsOf(schema) };
}

function constraintsOf({ type, format, pattern, ...schema }: WireRecord): JsonSchemaObject {
  if (type === 'string') {
    return {
      ...(typeof format === 'string' && formats.includes(format) ? { format } : {}),
      ...(typeof pattern === 'string' && isPlainPattern(pattern) ? { pattern } : {}),
    };
  }
  if (type !== 'number' && type !== 'integer') return {};
  return Object.fromEntries(
    numeric.filter((keyword) => typeof schema[keyword] === 'number').map((keyword) => [keyword, schema[keyword]]),
  );
}

function nullable(field: JsonSchemaObject): JsonSchemaObject {
  const { description, ...body } = field;
  const label = description === undefined ? {} : { description };
  if (Array.isArray(field.anyOf)) {
    const takesNull = recordsOf(field.anyOf).some(({ type }) => type === 'null');
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

/** The type of an `enum` or `const` that does not name it, where all values are of one. */
function typeOfValues(schema: WireRecord): string | undefined {
  const values = schema.const === undefined ? schema.enum : [schema.const];
  if (!Array.isArray(values)) return undefined;
  const types = new Set(values.map((value) => typeof value));
  const [only] = types;
  return types.size === 1 && (only === 'string' || only === 'number' || only === 'boolean') ? only : undefined;
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  return type === 'null' ? value === null : typeof value === type;
}

// Strict mode's engine knows neither groups with `(?`, such as look-around, nor back references.
function isPlainPattern(pattern: string): boolean {
  return !/\(\?|\\[1-9k]/.test(pattern);
}
