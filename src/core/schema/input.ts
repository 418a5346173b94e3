import { toJSONSchema } from 'zod/v4/core';
import { zodToJsonSchema } from 'zod-to-json-schema';
import { isThenable } from '../support/check-values.js';
import type { JsonSchemaObject } from './json-schema.js';
import { jsonSchemaParser, type ParsedInput } from './json-schema-parser.js';
import { schemaMaps } from './keywords.js';

/** A schema of any library, as the pipeline uses it. */
export interface InputSchema<Input = unknown> {
  /**
   * JSON Schema of the input, with the type object at the top. Frozen and made on first use. A plain JSON Schema keeps
   * its draft; any other schema is described in draft 7. Reading this property throws if the schema cannot be
   * described.
   */
  readonly json: JsonSchemaObject;
  /**
   * Validates an input. Returns a promise for an asynchronous schema, and for plain JSON Schema, whose validator loads
   * on first use.
   */
  parse(raw: unknown): ParsedInput<Input> | Promise<ParsedInput<Input>>;
}

/**
 * The part of the Standard Schema specification (standardschema.dev, version 1) that this library uses. zod 3.25 and 4
 * implement the specification.
 */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** The accepted kinds of `input` of a tool: zod 4, zod 3, another Standard Schema, or plain JSON Schema. */
export type SchemaLike = StandardSchema | JsonSchemaObject;

/** The output type of a schema. Plain JSON Schema gives a record. */
export type SchemaOutput<Schema> = Schema extends {
  readonly '~standard': { readonly types?: { readonly output: infer Output } | undefined };
}
  ? Output
  : Record<string, unknown>;

/** The input type of a schema. */
export type SchemaInput<Schema> = Schema extends {
  readonly '~standard': { readonly types?: { readonly input: infer Input } | undefined };
}
  ? Input
  : Record<string, unknown>;

/**
 * Wraps any supported schema. Throws a TypeError, whose message names the fix, for an unsupported schema and for a
 * schema that is not an object at the top. `json` replaces the JSON Schema that describes the input to the model.
 * `isServers` says that an MCP server declares the schema and validates its inputs itself.
 */
export function inputSchema<Schema extends SchemaLike>(
  tool: string,
  schema: Schema,
  json?: JsonSchemaObject,
  isServers = false,
): InputSchema<SchemaOutput<Schema>> {
  if (typeof schema !== 'object' && typeof schema !== 'function') throw notASchema(tool);
  if (schema === null) throw notASchema(tool);
  const { describe, parse } = isStandard(schema) ? standardSchema(tool, schema) : plainSchema(tool, schema, isServers);
  let made: JsonSchemaObject | undefined;
  const read = () => (made ??= objectAtTop(tool, tidyJsonSchema(json ?? describe())));
  // The JSON Schema of a zod object is an object at the top, so it needs no check and is made on first use.
  if (!isZodObject(schema) || json !== undefined) read();
  return {
    get json() {
      try {
        return read();
      } catch (cause) {
        const reason = cause instanceof Error ? cause.message : String(cause);
        const unusable = `${tool} cannot be used: its input schema cannot be described (${reason})`;
        throw new TypeError(`${unusable}. Use another tool.`, { cause });
      }
    },
    parse: parse as InputSchema<SchemaOutput<Schema>>['parse'],
  };
}

interface SchemaParts {
  describe(): JsonSchemaObject;
  parse(raw: unknown): ParsedInput<unknown> | Promise<ParsedInput<unknown>>;
}

function standardSchema(tool: string, schema: StandardSchema): SchemaParts {
  const { validate } = schema['~standard'];
  return {
    describe: () => describeStandard(tool, schema),
    parse: (raw) => {
      const result = validate(raw);
      return isThenable(result) ? Promise.resolve(result).then(fromStandard) : fromStandard(result);
    },
  };
}

function plainSchema(tool: string, schema: JsonSchemaObject, isServers: boolean): SchemaParts {
  const [field] = Object.keys(schema);
  if (field === undefined) throw notASchema(tool);
  if (Object.values(schema).some((value) => typeof value === 'object' && value !== null && '~standard' in value))
    throw new TypeError(`Tool ${tool}: input is fields, not a schema; wrap them: input: z.object({ ${field}: … })`);
  return { describe: () => schema, parse: jsonSchemaParser(tool, schema, isServers) };
}

function fromStandard(result: StandardResult<unknown>): ParsedInput<unknown> {
  if (result.issues === undefined) return { ok: true, value: result.value };
  return {
    ok: false,
    issues: result.issues.map(({ path, message }) => ({ path: (path ?? []).map(segmentOf), message })),
  };
}

function segmentOf(segment: PropertyKey | { readonly key: PropertyKey }): string | number {
  const key = typeof segment === 'object' ? segment.key : segment;
  return typeof key === 'symbol' ? String(key) : key;
}

// zod 4's converter throws on a zod 3 schema, and zod-to-json-schema returns `{}` for a zod 4 schema.
function describeStandard(tool: string, schema: StandardSchema): JsonSchemaObject {
  if ('_zod' in schema) {
    return toJSONSchema(schema as never, {
      target: 'draft-7',
      io: 'input',
      unrepresentable: 'any',
    }) as JsonSchemaObject;
  }
  if ('_def' in schema && schema['~standard'].vendor === 'zod') return describeZod3(schema);
  const own = (
    schema['~standard'] as { readonly jsonSchema?: { input(options: { target: string }): JsonSchemaObject } }
  ).jsonSchema;
  if (own !== undefined) return own.input({ target: 'draft-07' });
  throw new TypeError(
    `Tool ${tool}: this ${schema['~standard'].vendor} schema cannot describe itself as JSON Schema; pass ` +
      'inputJson beside input',
  );
}

function isStandard(schema: SchemaLike): schema is StandardSchema {
  return '~standard' in schema && typeof schema['~standard'] === 'object';
}

function isZodObject(schema: object): boolean {
  const zod4 = (schema as { readonly _zod?: { readonly def?: { readonly type?: string } } })._zod?.def?.type;
  const zod3 = (schema as { readonly _def?: { readonly typeName?: string } })._def?.typeName;
  return zod4 === 'object' || zod3 === 'ZodObject';
}

function objectAtTop(tool: string, json: JsonSchemaObject): JsonSchemaObject {
  if (json.type === 'object') return json;
  const came = json.type ?? Object.keys(json)[0] ?? 'an empty schema';
  throw new TypeError(
    `Tool ${tool}: the input schema must be an object at the top, not ${String(came)}, because models send ` +
      'named fields; wrap it, for example z.object({ value: … })',
  );
}

function notASchema(tool: string): TypeError {
  return new TypeError(
    `Tool ${tool}: pass input: a zod schema, another Standard Schema, or a JSON Schema ` +
      "such as { type: 'object', properties: {} }",
  );
}

/**
 * The JSON Schema for the input of a zod 3 schema. Repeated parts are written out each time, since not every provider
 * follows references; only a recursive schema keeps its references.
 */
export function describeZod3(schema: object): JsonSchemaObject {
  const describe = ($refStrategy: 'root' | 'none') =>
    zodToJsonSchema(schema as never, {
      target: 'jsonSchema7',
      $refStrategy,
      pipeStrategy: 'input',
    }) as JsonSchemaObject;
  const referring = describe('root');
  return isRecursive(referring, '#') ? referring : describe('none');
}

/** Whether a reference in the part at `pointer` leads to one of its own ancestors. */
function isRecursive(node: unknown, pointer: string): boolean {
  if (typeof node !== 'object' || node === null) return false;
  return Object.entries(node).some(([key, entry]) => {
    if (key === '$ref' && typeof entry === 'string') return `${pointer}/`.startsWith(`${entry}/`);
    return isRecursive(entry, `${pointer}/${key}`);
  });
}

const annotations: ReadonlySet<string> = new Set(['type', 'description', 'title', 'default']);

// The values of these keywords are data, which may look like a schema.
const data: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'examples']);

/**
 * A frozen equivalent copy for providers, without `$schema` and without the ±2^53 bounds that zod adds to each integer.
 * A union of plain types, such as `{ type: ['string', 'null'] }`, becomes `anyOf`, since zod writes such unions in
 * several ways.
 */
function tidyJsonSchema(schema: JsonSchemaObject): JsonSchemaObject {
  const { $schema: _, ...rest } = schema;
  return tidy(rest) as JsonSchemaObject;
}

/** `isMap`: the keys of the value are names of fields, not keywords. */
function tidy(value: unknown, isMap = false): unknown {
  if (Array.isArray(value)) return Object.freeze(value.map((one) => tidy(one)));
  if (typeof value !== 'object' || value === null) return value;
  const kept: [string, unknown][] = [];
  for (const [key, entry] of Object.entries(value)) {
    if (key === 'maximum' && entry === Number.MAX_SAFE_INTEGER) continue;
    if (key === 'minimum' && entry === Number.MIN_SAFE_INTEGER) continue;
    if (key === 'type' && isChoice(entry, value))
      kept.push(['anyOf', Object.freeze(entry.map((type) => Object.freeze({ type })))]);
    else kept.push([key, !isMap && data.has(key) ? entry : tidy(entry, !isMap && schemaMaps.has(key))]);
  }
  // fromEntries defines own properties, so a property named __proto__ stays a property.
  return Object.freeze(Object.fromEntries(kept));
}

function isChoice(type: unknown, schema: object): type is readonly string[] {
  return (
    Array.isArray(type) &&
    type.every((one) => typeof one === 'string') &&
    Object.keys(schema).every((key) => annotations.has(key))
  );
}
